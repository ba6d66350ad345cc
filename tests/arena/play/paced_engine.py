"""An engine of a known speed, for tests of speed: it sleeps instead of searching. It knows two moves of Callanish."""

PACED = """
import sys, time
nps, most, told = float(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["ugi"]:
        print("id name paced", "ugiok", sep="\\n", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        move = "c3" if "moves" in words else "a1"
    elif words[:1] == ["go"]:
        nodes = min(int(words[2]), most) if words[1] == "nodes" else 1
        time.sleep(nodes / nps)
        print("info", told, "cp 1" if told == "score" else nodes, "\\nbestmove", move, flush=True)
    elif words[:1] == ["quit"]:
        break
"""
"""Its arguments: nodes a second, the most nodes of a search, and what it tells of one: `nodes` or `score`."""
