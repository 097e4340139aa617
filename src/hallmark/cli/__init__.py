"""The command line: argv, environment and exit codes."""
