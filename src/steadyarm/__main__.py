"""`python -m steadyarm` is the command line."""

from steadyarm.cli.app import main

if __name__ == "__main__":
    main()
