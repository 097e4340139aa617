"""Which abbreviations may stand in a bibliography although the file does not define them?

BibTeX's months and journals are macros of its standard styles (btxdoc, plain.bst); the journals of
astronomy are commands of the AAS styles, as the ADS exports them (a journal given as the
command `apj`).
"""

MONTHS = {
    "jan": "January", "feb": "February", "mar": "March", "apr": "April", "may": "May",
    "jun": "June", "jul": "July", "aug": "August", "sep": "September", "oct": "October",
    "nov": "November", "dec": "December",
}  # fmt: skip

STYLE_JOURNALS = {
    "acmcs": "ACM Computing Surveys",
    "acta": "Acta Informatica",
    "cacm": "Communications of the ACM",
    "ibmjrd": "IBM Journal of Research and Development",
    "ibmsj": "IBM Systems Journal",
    "ieeese": "IEEE Transactions on Software Engineering",
    "ieeetc": "IEEE Transactions on Computers",
    "ieeetcad": "IEEE Transactions on Computer-Aided Design of Integrated Circuits",
    "ipl": "Information Processing Letters",
    "jacm": "Journal of the ACM",
    "jcss": "Journal of Computer and System Sciences",
    "scp": "Science of Computer Programming",
    "sicomp": "SIAM Journal on Computing",
    "tocs": "ACM Transactions on Computer Systems",
    "tods": "ACM Transactions on Database Systems",
    "tog": "ACM Transactions on Graphics",
    "toms": "ACM Transactions on Mathematical Software",
    "toois": "ACM Transactions on Office Information Systems",
    "toplas": "ACM Transactions on Programming Languages and Systems",
    "tcs": "Theoretical Computer Science",
}

PREDEFINED = MONTHS | STYLE_JOURNALS
"""Macros that need no definition, by lower-case name."""

ASTRONOMY_JOURNALS = {
    "aap": "Astronomy and Astrophysics",
    "aapr": "Astronomy and Astrophysics Review",
    "aaps": "Astronomy and Astrophysics Supplement Series",
    "actaa": "Acta Astronomica",
    "aj": "The Astronomical Journal",
    "ao": "Applied Optics",
    "apj": "The Astrophysical Journal",
    "apjl": "The Astrophysical Journal Letters",
    "apjs": "The Astrophysical Journal Supplement Series",
    "aplett": "Astrophysical Letters",
    "apss": "Astrophysics and Space Science",
    "araa": "Annual Review of Astronomy and Astrophysics",
    "azh": "Astronomicheskii Zhurnal",
    "gca": "Geochimica et Cosmochimica Acta",
    "grl": "Geophysical Research Letters",
    "iaucirc": "IAU Circulars",
    "icarus": "Icarus",
    "jcap": "Journal of Cosmology and Astroparticle Physics",
    "jcp": "The Journal of Chemical Physics",
    "jgr": "Journal of Geophysical Research",
    "jqsrt": "Journal of Quantitative Spectroscopy and Radiative Transfer",
    "mnras": "Monthly Notices of the Royal Astronomical Society",
    "nar": "New Astronomy Reviews",
    "nat": "Nature",
    "na": "New Astronomy",
    "nphysa": "Nuclear Physics A",
    "pasa": "Publications of the Astronomical Society of Australia",
    "pasj": "Publications of the Astronomical Society of Japan",
    "pasp": "Publications of the Astronomical Society of the Pacific",
    "physrep": "Physics Reports",
    "planss": "Planetary and Space Science",
    "pra": "Physical Review A",
    "prb": "Physical Review B",
    "prc": "Physical Review C",
    "prd": "Physical Review D",
    "pre": "Physical Review E",
    "prl": "Physical Review Letters",
    "procspie": "Proceedings of the SPIE",
    "qjras": "Quarterly Journal of the Royal Astronomical Society",
    "skytel": "Sky and Telescope",
    "solphys": "Solar Physics",
    "sovast": "Soviet Astronomy",
    "ssr": "Space Science Reviews",
}
"""Full names by command, without the backslash."""
