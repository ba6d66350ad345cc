"""Examples of every command: the help begins with the first one, and the page of commands has them all."""

EXAMPLES: dict[str, tuple[str, ...]] = {
    "demo": ("arena demo",),
    "match": (
        "arena match alphabeta:Hash=16 greedy --games 20 --tc 2+0.02 --db games.db",
        "arena match alphabeta greedy --games 20 --nodes 1000 --seed 7 --db games.db",
        "arena match alphabeta mcts --resign score=600,moves=3,twosided=true --max-plies 200",
        "arena match alphabeta mcts --variant scottish --draw score=10,moves=8,after=40",
        "arena match greedy random --variant callanish-7 --games 10 --movetime 50 --events events.jsonl --trace traces",
    ),
    "sprt": ("arena sprt alphabeta greedy --elo0 0 --elo1 10 --variant callanish-7 --nodes 500 --db test.db",),
    "init": (
        "arena init my.toml",
        "arena init swiss greedy alphabeta:Hash=16 mcts swiss.toml",
        "arena init tablut contest.toml",
    ),
    "tournament": (
        "arena tournament cup.toml",
        "arena tournament cup.toml --set rounds=4 --db long.db",
        "arena tournament cup.toml --set format=gauntlet --db gauntlet.db",
    ),
    "ladder": ("arena ladder ladder.toml --games 200",),
    "host start": (
        "arena host start open.toml",
        "arena host start open.toml --host 0.0.0.0 --cert cert.pem --key key.pem",
    ),
    "host invite": (
        "arena host invite open.toml fox > fox.token",
        "arena host invite open.toml fox --expires 30 --db open.db",
    ),
    "host list": ("arena host list open.toml",),
    "host revoke": ("arena host revoke open.toml fox",),
    "connect": (
        "arena connect wss://arena.example.org:8430 --token-file fox.token -- ./fox --threads 4",
        "arena connect ws://127.0.0.1:8430 --token-file fox.token -- alphabeta",
    ),
    "play": (
        "arena play alphabeta --variant callanish-7 --movetime 500",
        "arena play greedy --variant scottish --side p2 --tc 300+2",
        "arena play human human --variant brandub --save game.jsonl",
        "arena play greedy --resume game.jsonl",
        "arena play stornoway:Strength=4 --web --open",
    ),
    "standings": (
        "arena standings demo.db",
        "arena standings demo.db --anchor greedy --wide",
        "arena standings demo.db --crosstable",
    ),
    "games": (
        "arena games demo.db --engine greedy --winner greedy",
        "arena games demo.db --sort longest --limit 5",
    ),
    "show": (
        "arena show demo.db 1",
        "arena show demo.db 1 --ply 3",
        "arena show demo.db 1 --svg board.svg",
    ),
    "watch": (
        "arena watch demo.db",
        "arena watch demo.db --once",
    ),
    "report": (
        "arena report demo.db",
        "arena report demo.db --output demo-pages --games lost,disputed,100",
    ),
    "serve": (
        "arena serve demo.db",
        "arena serve demo.db --port 0 --open",
        "arena serve demo.db --host 0.0.0.0 --name arena.example.org",
    ),
    "stats": ("arena stats demo.db",),
    "export": (
        "arena export demo.db --format pgn --output games.pgn",
        "arena export demo.db --format jsonl --output games.jsonl",
    ),
    "import": ("arena import games.jsonl --into other.db",),
    "merge": ("arena merge all.db demo.db other.db",),
    "verify": (
        "arena verify games.jsonl",
        "arena verify games.pgn",
    ),
    "variants": (
        "arena variants callanish-7",
        "arena variants brandub --lang ja",
    ),
    "position": ('arena position scottish --moves "d1c1 d3b3"',),
    "perft": ("arena perft brandub 3",),
    "engines list": ("arena engines list",),
    "engines show": ("arena engines show alphabeta",),
    "engines add": ('arena engines add mine "python mine.py"',),
    "engines remove": ("arena engines remove mine",),
    "engines build": ("arena engines build",),
    "check": (
        'arena check "python mine.py"',
        'arena check "python mine.py" --level smoke',
    ),
    "new": ("arena new fox --language python",),
    "cluster keys": ("arena cluster keys keys",),
    "cluster scheduler": ("arena cluster scheduler --keys keys",),
    "cluster join": (
        "arena cluster join tls://main:8786 --keys keys",
        "arena cluster join tls://main:8786 --keys keys --slots 4 --cpus 0-3",
    ),
    "cluster status": ("arena cluster status tls://main:8786 --keys keys",),
    "docs": (
        "arena docs QUICKSTART",
        "arena docs",
        "arena docs margin overrun",
    ),
    "doctor": ("arena doctor",),
    "openings make": (
        "arena openings make --variant callanish-7 --plies 4 --count 50 --output openings.txt",
        "arena openings make --variant callanish-7 --count 50 --output even.txt --engine alphabeta --nodes 2000",
        "arena openings make --variant callanish-7 --count 2 --output o.txt --engine alphabeta --games 50 --share 1",
        "arena match alphabeta greedy --variant callanish-7 --book even.txt --book-order random",
    ),
    "openings check": ("arena openings check openings.txt --variant callanish-7",),
}
