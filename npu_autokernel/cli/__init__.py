"""The command line. `main.COMMANDS` lists the commands; each lives in a file of its own, imported when called."""
