"""`python -m steadyarm` is the command line."""

from steadyarm.cli import main

if __name__ == "__main__":
    main()
