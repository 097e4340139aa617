"""Lets `python -m hallmark` run the command line."""

from hallmark.cli.main import main

main()
