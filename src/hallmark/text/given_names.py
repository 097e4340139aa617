"""Could two given names, or two words of them, belong to the same person?

Short forms come from the curated English list of the package `nicknames`, and from the families of
names below for other languages.
"""

from functools import lru_cache

from nicknames import NickNamer
from rapidfuzz.distance import OSA

from hallmark.text.name_folding import is_pinyin, pinyin_key, skeleton

_FAMILIES = """
aleksandr alexander alexandre alexandr oleksandr alexandros alejandro alessandro aleksander sasha alex sacha sascha shura
aleksandra alexandra alessandra alejandra oleksandra sasha ola
aleksei alexey alexei alexej aleksey alyosha alex oleksii oleksiy lesha lyosha
anastasia anastasiia anastasiya nastya nastia asya
anna ana anne anya ania anja hannah hanna ann anita annika
andreas andrew andrei andrey andrzej andre andrea andres andrij andriy andrii andras endre anders andrej andy
anthony antonio anton antoine toni tony antonios antoni
artem artyom artiom tema
benjamin ben benny beni benoit
boris borya borja
catherine katherine katie kathy cathy kathryn kathleen katharina katarina ekaterina yekaterina katerina kateryna kate katja katya katia kat kasia katarzyna caterina catalina kathrin
charles carlos carl karl carlo chuck charlie charley karel karol
christian chris kristian cristian
christina kristina cristina tina krista kristin christine
christopher christoph christophe kristoffer kristof chris krzysztof cristobal topher christos christoforos
daniel dan danny danil daniil danila dani danilo daniele dany
daria darya dasha darja
david dave davide dawid davit dovid davey
diederik durk dirk
dmitry dmitri dmitrii dmitriy dima dimitri dimitris dimitrios dmytro dmitrij mitya
edward eduard eduardo edoardo ed eddie ted ned edouard edvard
elena helena yelena olena lena helene helen elina ilena
elizabeth elisabeth elisabetta isabel liz lisa beth eliza elsa betty elise elizaveta liza
emmanuel emmanouil manolis emanuel manuel manu emanuele manolo imanuel immanuel
eric erik erich erick
evgeny evgeni evgenii evgeniy eugene yevgeny yevgen yevgeni zhenya jenya eugen jevgeni evgenij eugenio
evgenia evgeniya eugenia yevgenia zhenya
felix felipe
francis francisco francois francesco frank franz frans paco pancho fran franciszek ferenc cesco ciccio
frederick frederic fred friedrich fritz federico fredrik frederik fryderyk freddy
gabriel gabriele gabe gabi gavriel gavril
gennady gennadi gennadiy gennadii gena henadii
george georg georges jorge giorgio georgios yuri jurgen juergen georgi georgy georgii jiri jerzy jordi yorgos giorgos
gerard gerhard gerry gert gerardo gerrit
gregory grigory grigori grigorii greg gregor grzegorz grisha gregoire gregorio grigorios
gonzalo gonzague
guillermo william guillaume wilhelm willem will bill memo wim guglielmo gulielmo willi willy liam billy
gustavo gustav gustave gus
hans johannes johann john jan juan jean giovanni ivan joao ioannis yannis yiannis johan jon hannes ian sean janos vanya jack johnny yann yan ion ioan giannis
helmut helmuth
henry henri heinrich hendrik henrik enrique enrico harry heinz henk harri henryk
hugh hugo hugues ugo
ignacio ignatius nacho ignasi ignazio inaki
igor ihor gosha
ilya ilia ilja illia ilija elijah elias eli ilias
irina iryna ira irena
isaac itzhak yitzhak izhak isac ike isaak ishak zack
jacob jakob jacques jaime james jakub jake iakov yakov jim jimmy iacopo jacopo giacomo jamie yaakov jakov jaakko kuba koby kobi
jerome hieronymus jeronimo geronimo
joaquin joachim jochen joakim achim quino
joseph josef jose giuseppe yosef josep josip joe jozef yossi yosi pepe beppe joey iosif osip juozas yusuf youssef yousef yusef
joshua josh yehoshua joshue jehoshua
konstantin constantin kostya costas constantine kostas konstantinos constantinos kostyantyn kosta
ksenia xenia kseniya kseniia
leonard leonardo leo leon lenny leonhard
leonid lenya leon
lev leo leon leib
louis ludwig luis luigi lluis lewis ludovic lou luiz lewis ludvig aloysius
lucas luke luca lukas lukasz luc lukasz luka
lyudmila ludmila liudmila lyuda mila luda
marc mark marco marcus markus marek marcos marko marcel
maria mary marie mariia mariya masha maryam miriam marija mariana mia
marina marinka
martin marten maarten martijn marty martino
matthew matthias mateo matteo matthieu mathieu matt matthijs mateusz matti matej matyas mathias mattia mats mat matias matvei
maxim maksim maxime maximilian max massimo maksym massimiliano
michael mikhail michel miguel michal mihai mihaly mike misha mick mikael mikkel mikko michele mickael mischa mihail mykhailo mykhaylo micha mihailo mikel mickey michalis miki
mohammad mohammed muhammad mohamed muhammed mohamad mehmet mohamud mo mahomet mohd md muhammet
natalia natalya nataliya natasha nataliia nathalie natalie nat natalja
nathan nati nathaniel nate nat natan nathanael natanel
nicholas nikolas nicolas nikolai nikolay niccolo nicola nikolaus nick nico nikolaos klaus claus kolya mikolaj niklas nicolaus mykola nikola nicu nikos miklos niko niels nils
oleg oleh olle
olga olha olya olia
oliver olivier oliviero ollie oli
patrick padraig pat patrizio patricio patryk
paul pablo paolo pavel pawel paulo pal paulus pauli pau paavo pavlo pavlos pasha paweł
peter pieter pierre pedro pietro petr piotr pyotr petros pete petter per petro peder petar petre petri piet
philip philipp philippe phil felipe filippo filip phillip filippos pip
rafael raphael raffaele rafal rafa raffi raphel
richard ricardo riccardo rick rich dick ricky ryszard rikard
robert roberto rob bob bobby robbie robin rupert robb
roman romain romano roma
rostislav rostyslav slava
rudolf rudolph rudy rodolfo rudi rolf
samuel sam samy samuele shmuel sami samuil sammy
sebastian sebastien bastian sebastiano seb basti
sergey sergei sergio serge sergii sergiy serhii serhiy sergej serguei sergi seryozha serezha sergeant serhij
simon simone shimon simeon semyon semen szymon simao
sofia sophia sophie sofya sofiia sonia sonya sofie zofia
stanislav stanislaw slava stas stan stanislas stanislao
stefan stephan stephen steven stephane esteban stefano steve stefanos istvan stevan etienne esteve stef szczepan stepan
svetlana svitlana sveta lana
sviatoslav svyatoslav slava
tatiana tatyana tania tanya tetiana tatjana
theodore theodor teodor teodoro theo fyodor fedor ted teddy fiodor fedir theodoros thodoris
thomas tomas tommaso tom tomasz tomaso tommy toma tamas tuomas thom tomek tomer tomaz
timothy tim timo timothee timofey timofei timothee timotheus timmy timur
tobias toby tobi tobiasz
vadim vadym vadik
valentin valentyn valentino valya val
valery valeri valerii valeriy valeria valeriya valera valerie
vasily vasilii vasiliy vasili vassili vasiliki vasilis vassilis basil vasyl vasileios vasilios wassily basile vasile
veniamin benjamin venya
viacheslav vyacheslav slava wjatscheslaw
victor viktor vitya vittorio vic victoriano
victoria viktoria viktoriia vicky vika viktoriya tori
vincent vincenzo vicente vince vincenz enzo
vitaly vitali vitalii vitaliy vitalik
vladimir wladimir volodymyr vova volodya vlad vladimer volodimir uladzimir vladimiro
vladislav wladyslaw vlad vladyslav ladislav laszlo slava uladzislau
walter gualtiero wouter walt
wojciech wojtek
yael jael
yakov iakov jacob yasha
yaroslav jaroslaw jaroslav slava iaroslav
yulia julia iuliia yuliya giulia julie iulia juliya yuliia juliana
yuri yury iurii yuriy jurij iouri youri yurii juri iuri yura yurij
zachary zach zack zak zac zachariah zachery zacharias
zbigniew zbyszek
abhishek abhi
aditya adi
abdul abdel abd abdullah abdallah
ahmed ahmad ahmet achmed ahmadou
ali aly
hussein hossein husain hussain hosein huseyin husayn hoseyn
hassan hasan hassane
ibrahim ebrahim abraham avraham ibraheem abe avi avram
ismail ishmael esmail ismael esmaeil
mahmoud mahmud mehmood mahmut mahmood
mostafa mustafa moustafa mostapha
omar umar omer
osama usama
ruslan russ
stratis efstratios eustratios
kiriakos kyriakos kyros
spyridon spiros spyros
martinus marinus mart
artavazd arto
vishal vish
vijay vijayalakshmi viji
venkataraman venkat
animashree anima
sivaraman siva shiva
ramakrishnan ram rama
rajesh raj
sudarshan sudar
bharath bharat
prashant prashanth
tripathi tripathy
panagiotis panos panayiotis takis
evangelos vangelis
charalampos haris babis charalambos
athanasios thanasis thanos
georgios giorgos
dionysios dionysis denis dennis
anastasios tasos
apostolos tolis
ilias elias
said saeed saied syed sayed seyed seyyed sayyed sayyid
yasser yaser yasir yassir
zeynep zainab zaynab zeinab
avinash avi
krishna krish
lakshmi laxmi lakshman
venkatesh venkat venkata venky
subramanian subbu subra
moshe moses moshik moishe
shlomo solomon salomon shlomi suleiman suleyman sulaiman
yehuda judah yuda juda
yonatan jonathan jon yoni jonatan jonny johnathan nathan
yoav joab
tzvi zvi tsvi hirsch
chaim haim hayim hyman
dov dovi ber
uriel uri
bartholomew bartolomeo bartek bartosz bart
adalbert bela wojciech albert
albert alberto albrecht al bert
alfred alfredo fred alf
alois aloys
augustine agustin augustin agostino gus august augusto
ferdinand fernando fernand hernando nando
hector ettore
jesus chus
dolores lola
mercedes merche
rosario charo
santiago diego jaime jacobo iago tiago thiago yago
sylvain silvan silvano silvain
ulrich uli ulrik ulric
wolfgang wolf wolfi
reinhard reinhardt
rainer reiner
dieter diether
guenter gunter gunther guenther gunnar
juergen jurgen joergen jorgen
joerg jorg
ruediger rudiger roger roderick
""".strip().splitlines()  # noqa: E501 - one family of names a line


@lru_cache(maxsize=1)
def _groups() -> dict[str, frozenset[int]]:
    """Map each name to the families of names that it belongs to."""
    groups: dict[str, set[int]] = {}
    for number, line in enumerate(_FAMILIES):
        for name in line.split():
            groups.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in groups.items()}


@lru_cache(maxsize=1)
def _namer() -> NickNamer:
    return NickNamer()


@lru_cache(maxsize=16384)
def _relatives(word: str) -> frozenset[str]:
    namer = _namer()
    return frozenset(namer.nicknames_of(word) | namer.canonicals_of(word))


@lru_cache(maxsize=16384)
def _canonicals(word: str) -> frozenset[str]:
    return frozenset(_namer().canonicals_of(word))


@lru_cache(maxsize=65536)
def are_variants(one: str, other: str) -> bool:
    """Whether two folded given names are forms of one name (Misha and Mikhail); symmetric."""
    mine, theirs = _groups().get(one), _groups().get(other)
    if mine and theirs and mine & theirs:
        return True
    if other in _relatives(one) or one in _relatives(other):
        return True
    if _canonicals(one) & _canonicals(other):
        return True
    return _is_short_form(one, other)


_SHORTEST_FORM = 3


def _is_short_form(one: str, other: str) -> bool:
    """Whether one begins the other, as Alex does Alexander; Chinese names are not cut."""
    short, long = sorted((one, other), key=len)
    return (
        len(short) >= _SHORTEST_FORM
        and len(long) >= len(short) + 2
        and long.startswith(short)
        and not is_pinyin(long)
    )


@lru_cache(maxsize=65536)
def are_romanisations(one: str, other: str) -> bool:
    """Whether two folded names could be one name, romanised or spelled otherwise; symmetric."""
    if is_pinyin(one) and is_pinyin(other):
        return pinyin_key(one) == pinyin_key(other)
    return skeleton(one) == skeleton(other)


_LONG_ENOUGH = 5


@lru_cache(maxsize=65536)
def is_slip(one: str, other: str) -> bool:
    """Whether two folded words differ by one slip of a key; symmetric.

    Words of fewer than five letters, and two words of pinyin, are other names when they differ.
    """
    if min(len(one), len(other)) < _LONG_ENOUGH or (is_pinyin(one) and is_pinyin(other)):
        return False
    return bool(OSA.distance(one, other, score_cutoff=1) <= 1)
