/* Where each weight of stornoway's evaluation lies; `stornoway_learned.h` has the weights. The unit is a UNIT-th of a hundredth of a stone. */

enum { UNIT = 8, EDGES = 3, LACKS = 9, LACK_ZERO = 2, GLOBALS = 8 };
enum { LINE_WEIGHTS = EDGES * LACKS * 4 * LACKS * 4, REACH_WEIGHTS = 2 * LACKS * 4 * 4 };
enum { ORDER = LINE_WEIGHTS + REACH_WEIGHTS + GLOBALS, WEIGHTS = ORDER + LINE_WEIGHTS };
/* From ORDER on lie weights of lines once more, for a quick guess that knows nothing but lines: it sorts turns. Its
   constant is the last of the globals. */

/* A line by its distance from the edge; what each side lacks there; and how many of the squares that it holds cannot be
   covered, since it has covered them itself. */
static inline int line_weight(int edge, int lack, int safe, int other_lack, int other_safe)
{
    return (((edge * LACKS + lack) * 4 + safe) * LACKS + other_lack) * 4 + other_safe;
}
