from tile2cu import main

main()
