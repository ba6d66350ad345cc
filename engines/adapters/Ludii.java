/*
 * Lets an AI of Ludii play as an engine of the arena: `java -cp Ludii.jar Ludii.java`.
 *
 * Reads and writes the protocol of protocol/SPEC.md. Ludii knows the rules and finds the moves; this file translates
 * games, moves and positions, and keeps the clock. docs/authors/ADAPTERS.md tells how to register it and what it cannot do.
 */

import compiler.Compiler;
import game.Game;
import game.types.board.SiteType;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import main.Constants;
import main.grammar.Description;
import main.grammar.Report;
import main.options.UserSelections;
import other.AI;
import other.GameLoader;
import other.action.move.ActionAdd;
import other.action.move.remove.ActionRemove;
import other.context.Context;
import other.move.Move;
import other.state.container.ContainerState;
import other.trial.Trial;
import utils.AIFactory;

public final class Ludii {
    private static final List<String> AIS = List.of("Alpha-Beta", "UCT", "MC-GRAVE", "Ludii AI");
    private static final String QUERIES = "p1turn gameover result legalmoves islegal fen";
    private static final String NO_MOVE = "0000";
    /** The AIs that count playouts. The others are told a time for a limit of nodes. */
    private static final List<String> COUNTING = List.of("UCT", "MC-GRAVE");
    private static final double NODES_PER_S = 5_000;
    /** The time for a move under no limit, in milliseconds. */
    private static final int UNLIMITED_MS = 1_000;
    /** The longest time under a limit of depth or nodes. The referee waits 60 s. */
    private static final int LONGEST_MS = 50_000;
    /** How long the AI may go on after its time is over, before a move is chosen without it. */
    private static final int GRACE_MS = 30;
    /** How long the AI may go on after `stop`. */
    private static final int STOP_MS = 1_000;
    /** The time between two looks at what has come during a search. */
    private static final int LOOK_MS = 2;
    private static final int WARM_UP_MS = 300;

    /** Ludii and its libraries print to System.out. The protocol has the real one for itself. */
    private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private final LinkedBlockingQueue<String[]> lines = new LinkedBlockingQueue<>();
    private ExecutorService searcher = newSearcher();
    private final Map<String, String> settings = new LinkedHashMap<>();

    /** The number of `go` lines that were read, and the last of them that a `stop` belongs to. */
    private int goesRead;
    private volatile int stopped;
    private int goesDone;

    private Line line;
    private String[] position = {"startpos"};
    private AI ai;
    private Game aiGame;

    public static void main(String[] args) throws Exception {
        System.setOut(System.err);
        new Ludii().run();
    }

    private Ludii() {
        settings.put("UGI_Variant", Variants.NAMES.get(0));
        settings.put("UGI_Rules", "");
        settings.put("UGI_Queries", QUERIES);
        settings.put("AI", AIS.get(0));
        settings.put("Overhead", "60");
    }

    private static ExecutorService newSearcher() {
        return Executors.newSingleThreadExecutor(work -> {
            Thread thread = new Thread(work, "search");
            thread.setDaemon(true);
            return thread;
        });
    }

    // ---- Lines -----------------------------------------------------------------------------------------------------

    private void run() throws InterruptedException {
        Thread reader = new Thread(this::read, "reader");
        reader.setDaemon(true);
        reader.start();
        while (true) {
            String[] words = lines.take();
            if (words.length == 0 || words[0].equals("quit")) {
                // A search that does not end keeps nobody waiting.
                Runtime.getRuntime().halt(0);
            }
            try {
                handle(words);
            } catch (RuntimeException error) {
                say("error " + error.getMessage());
            }
        }
    }

    private void read() {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (String text = in.readLine(); text != null; text = in.readLine()) {
                String[] words = text.trim().split("[ \\t\\r]+");
                if (!words[0].isEmpty()) {
                    arrived(words);
                }
            }
        } catch (IOException error) {
            // The end of the input means the same as `quit`.
        }
        Runtime.getRuntime().halt(0);
    }

    private synchronized void arrived(String[] words) {
        switch (words[0]) {
            case "quit" -> Runtime.getRuntime().halt(0);
            case "stop" -> stopped = goesRead;
            default -> {
                goesRead += words[0].equals("go") ? 1 : 0;
                lines.add(words);
            }
        }
    }

    private void say(String text) {
        synchronized (out) {
            out.print(text.replace('\n', ' ') + "\n");
            if (out.checkError()) {
                // Nobody reads any more. checkError flushes, too.
                Runtime.getRuntime().halt(0);
            }
        }
    }

    private void handle(String[] words) {
        switch (words[0]) {
            case "ugi" -> introduce();
            case "isready" -> {
                try {
                    prepare();
                } finally {
                    say("readyok");
                }
            }
            case "setoption" -> setOption(words);
            case "uginewgame" -> {
                line = null;
                ai = null;
                position = new String[] {"startpos"};
            }
            case "position" -> setPosition(Arrays.copyOfRange(words, 1, words.length));
            case "go" -> go(words);
            case "query" -> query(words);
            default -> { }
        }
    }

    private void introduce() {
        say("id name Ludii");
        say("id author the authors of Ludii; the adapter is the Callanish Arena project's");
        say("option name UGI_Variant type combo default " + Variants.NAMES.get(0) + vars(Variants.NAMES));
        say("option name UGI_Rules type string default <empty>");
        say("option name UGI_Queries type string default " + QUERIES);
        say("option name AI type combo default " + AIS.get(0) + vars(AIS));
        say("option name Overhead type spin default 60 min 0 max 5000");
        say("ugiok");
    }

    private static String vars(List<String> choices) {
        return " var " + String.join(" var ", choices);
    }

    private void setOption(String[] words) {
        String text = String.join(" ", words);
        int at = text.indexOf(" value ");
        int from = text.indexOf(" name ");
        String name = from < 0 ? "" : text.substring(from + 6, at < 0 ? text.length() : at).trim();
        String value = at < 0 ? "" : text.substring(at + 7).trim();
        String known = settings.keySet().stream().filter(name::equalsIgnoreCase).findFirst().orElse(null);
        if (known == null) {
            throw new IllegalArgumentException("there is no option '" + name + "'");
        }
        if (value.equals("<empty>")) {
            value = "";
        }
        switch (known) {
            case "UGI_Variant" -> value = choice(known, value, Variants.NAMES);
            case "AI" -> value = choice(known, value, AIS);
            case "UGI_Rules" -> Variants.check(value);
            case "Overhead" -> {
                if (!value.matches("\\d{1,4}") || Integer.parseInt(value) > 5000) {
                    throw new IllegalArgumentException("option Overhead takes a whole number from 0 to 5000");
                }
            }
            default -> { }
        }
        settings.put(known, value);
        line = null;
        ai = null;
    }

    private static String choice(String name, String value, List<String> choices) {
        for (String each : choices) {
            if (each.equalsIgnoreCase(value)) {
                return each;
            }
        }
        throw new IllegalArgumentException("option " + name + " takes one of " + String.join(", ", choices));
    }

    // ---- Positions -------------------------------------------------------------------------------------------------

    /** The line of play that `position` told. Ludii makes a game of a description the first time, which takes seconds. */
    private Line line() {
        Variant variant = Variants.of(settings.get("UGI_Variant"), settings.get("UGI_Rules"));
        int moves = Arrays.asList(position).indexOf("moves");
        List<String> words = moves < 0 ? List.of() : List.of(position).subList(moves + 1, position.length);
        int head = moves < 0 ? position.length : moves;
        boolean drawn = position.length > 1 && position[0].equals("fen");
        String fen = drawn ? String.join(" ", Arrays.copyOfRange(position, 1, head)) : "";
        if (line == null || !line.startsLike(variant, fen) || !line.isBefore(words)) {
            line = null;
            line = new Line(variant, fen);
        }
        Line extended = line;
        // If a move fails, the line is half played and must not be kept.
        line = null;
        for (String word : words.subList(extended.words.size(), words.size())) {
            extended.play(word);
        }
        line = extended;
        return extended;
    }

    private void setPosition(String[] words) {
        position = words.length == 0 ? new String[] {"startpos"} : words;
        line();
    }

    /** Compile the game and make the AI ready, so that neither costs time of a move. */
    private void prepare() {
        Variant variant = Variants.of(settings.get("UGI_Variant"), settings.get("UGI_Rules"));
        boolean first = !variant.isCompiled();
        Game game = variant.game();
        if (ai == null || aiGame != game) {
            ai = AIFactory.createAI(settings.get("AI"));
            aiGame = game;
            ai.initAI(game, 1);
            initialised = 1;
        }
        if (first) {
            Line start = new Line(variant, "");
            ai.selectAction(game, new Context(start.context), WARM_UP_MS / 1e3, -1, -1);
            ai = null;
            prepare();
        }
    }

    private int initialised;

    // ---- Searches --------------------------------------------------------------------------------------------------

    private void go(String[] words) {
        int number = ++goesDone;
        Line at;
        try {
            at = line();
        } catch (IllegalArgumentException error) {
            say("error " + error.getMessage());
            say("bestmove " + NO_MOVE);
            return;
        }
        if (!at.result().equals("none")) {
            say("bestmove " + NO_MOVE);
            return;
        }
        prepare();
        int side = at.context.state().mover();
        if (initialised != side) {
            ai.initAI(aiGame, side);
            initialised = side;
        }
        boolean counting = COUNTING.contains(settings.get("AI"));
        Limits limits = Limits.read(words, side, Integer.parseInt(settings.get("Overhead")), counting);
        long start = System.nanoTime();
        String best = null;
        if (stopped < number && !limits.hopeless()) {
            ai.setWantsInterrupt(false);
            best = await(searcher.submit(() -> search(at, limits, start, number)), limits, start, number);
        }
        if (best == null) {
            best = at.anyMove();
        }
        if (limits.infinite) {
            awaitStop(number);
        }
        say("bestmove " + best);
    }

    /** Search on the search thread: each part of the move after the other. */
    private String search(Line at, Limits limits, long start, int number) {
        AI mine = ai;
        Context context = new Context(at.context);
        List<Move> parts = new ArrayList<>();
        int count = at.parts();
        for (int part = 0; part < count; part++) {
            Move move;
            if (stopped >= number && part > 0) {
                move = at.game.moves(context).moves().get(0);
            } else {
                double spent = (System.nanoTime() - start) / 1e9;
                double share = limits.seconds < 0 ? -1 : Math.max(0.01, (limits.seconds - spent) / (count - part));
                move = mine.selectAction(at.game, new Context(context), share, limits.iterations, limits.depth * count);
            }
            if (part == 0) {
                tell(mine, start);
            }
            parts.add(move);
            context.game().apply(context, move);
        }
        return at.word(parts);
    }

    private void tell(AI ai, long start) {
        String report = ai.generateAnalysisReport();
        long ms = (System.nanoTime() - start) / 1_000_000;
        String depth = report == null ? "" : report.replaceFirst("(?s).* depth (\\d+).*", "$1");
        say("info" + (depth.matches("\\d+") ? " depth " + depth : "") + " score cp "
            + Math.round(ai.estimateValue() * 1000) + " time " + ms);
        if (report != null) {
            say("info string " + report);
        }
    }

    /** Wait for the search, and no longer than its time allows: null where it does not come to an end. */
    private String await(Future<String> found, Limits limits, long start, int number) {
        long deadline = limits.deadlineMs < 0 ? Long.MAX_VALUE - GRACE_MS : limits.deadlineMs;
        long grace = GRACE_MS;
        try {
            while (true) {
                answerReady();
                long spent = (System.nanoTime() - start) / 1_000_000;
                if (stopped >= number && deadline > spent) {
                    deadline = spent;
                    grace = STOP_MS;
                }
                if (spent >= deadline) {
                    ai.setWantsInterrupt(true);
                }
                if (spent >= deadline + grace) {
                    break;
                }
                try {
                    return found.get(LOOK_MS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException goesOn) {
                    continue;
                }
            }
            say("info string the AI did not end in time, so the move is any legal one");
        } catch (InterruptedException error) {
            say("error " + error);
        } catch (ExecutionException error) {
            say("error the AI failed: " + error.getCause());
            error.getCause().printStackTrace();
        }
        // Its thread may go on for a while. A new AI and a new thread share nothing with it.
        ai = null;
        searcher = newSearcher();
        return null;
    }

    /** Answer the `isready`s that have come during a search, but none behind another line. */
    private void answerReady() {
        String[] next = lines.peek();
        while (next != null && next[0].equals("isready")) {
            lines.poll();
            say("readyok");
            next = lines.peek();
        }
    }

    private void awaitStop(int number) {
        while (stopped < number) {
            answerReady();
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            } catch (InterruptedException ignored) {
                return;
            }
        }
    }

    // ---- Queries ---------------------------------------------------------------------------------------------------

    private void query(String[] words) {
        Line at = line();
        String result = at.result();
        String asked = words.length < 2 ? "" : words[1];
        switch (asked) {
            case "p1turn" -> say("response " + (at.context.state().mover() == 1));
            case "gameover" -> say("response " + !result.equals("none"));
            case "result" -> say("response " + result);
            case "fen" -> say("response " + at.fen());
            case "legalmoves" -> {
                TreeSet<String> legal = result.equals("none") ? at.legal() : new TreeSet<>();
                say("response " + legal.size() + (legal.isEmpty() ? "" : " " + String.join(" ", legal)));
            }
            case "islegal" -> {
                String word = words.length < 3 ? "" : Squares.canonical(words[2]);
                say("response " + (result.equals("none") && at.legal().contains(word)));
            }
            default -> throw new IllegalArgumentException("cannot answer query '" + asked + "'");
        }
    }

    // ---- Limits ----------------------------------------------------------------------------------------------------

    /** What a `go` allows. `seconds` and `deadlineMs` below 0 mean no limit. */
    private record Limits(double seconds, long deadlineMs, int iterations, int depth, boolean infinite) {
        boolean hopeless() {
            return deadlineMs == 0;
        }

        static Limits read(String[] words, int side, int overheadMs, boolean counting) {
            Map<String, Long> numbers = new HashMap<>();
            for (int i = 1; i + 1 < words.length; i++) {
                if (words[i + 1].matches("\\d{1,12}")) {
                    numbers.put(words[i], Long.parseLong(words[i + 1]));
                }
            }
            if (Arrays.asList(words).contains("infinite")) {
                return new Limits(3600, -1, -1, 0, true);
            }
            if (numbers.containsKey("movetime")) {
                return timed(numbers.get("movetime"), numbers.get("movetime"), overheadMs);
            }
            if (numbers.containsKey("p" + side + "time")) {
                long left = numbers.get("p" + side + "time");
                long increment = numbers.getOrDefault("p" + side + "inc", 0L);
                return timed(Math.min(left / 25 + increment * 3 / 4, left / 2), left, overheadMs);
            }
            if (numbers.getOrDefault("depth", 0L) > 0) {
                int depth = (int) Math.min(numbers.get("depth"), 100);
                return new Limits(LONGEST_MS / 1e3, LONGEST_MS + 2_000, -1, depth, false);
            }
            if (numbers.getOrDefault("nodes", 0L) > 0) {
                int nodes = (int) Math.min(numbers.get("nodes"), Integer.MAX_VALUE);
                double seconds = counting ? -1 : Math.min(Math.max(nodes / NODES_PER_S, 0.005), LONGEST_MS / 1e3);
                return new Limits(seconds, LONGEST_MS + 2_000, nodes, 0, false);
            }
            return timed(UNLIMITED_MS, UNLIMITED_MS, overheadMs);
        }

        /** Think for `wantedMs`, and answer before `leftMs` is over. */
        private static Limits timed(long wantedMs, long leftMs, int overheadMs) {
            long deadline = Math.max(0, leftMs - Math.min(overheadMs, leftMs / 2) - GRACE_MS);
            double seconds = Math.min(wantedMs, leftMs - overheadMs - GRACE_MS * 2) / 1e3;
            return new Limits(Math.max(0.005, seconds), deadline, -1, 0, false);
        }
    }

    // ---- Games -----------------------------------------------------------------------------------------------------

    /** A game from its start: Ludii's context, and the words of the moves that were played. */
    private static final class Line {
        final Variant variant;
        final Context context;
        final List<String> words = new ArrayList<>();
        private final String fen;
        private final Game game;
        private final int firstTurn;
        private final Map<String, Integer> occurrences = new HashMap<>();
        private boolean repeated;

        Line(Variant variant, String fen) {
            this.variant = variant;
            this.fen = fen;
            game = variant.game();
            context = new Context(game, new Trial(game));
            game.start(context);
            firstTurn = fen.isEmpty() ? 1 : Boards.setUp(variant, context, fen);
            note();
        }

        boolean startsLike(Variant other, String otherFen) {
            return variant == other && fen.equals(otherFen);
        }

        boolean isBefore(List<String> longer) {
            return words.size() <= longer.size() && longer.subList(0, words.size()).equals(words);
        }

        /** The number of moves of Ludii that one move of ours is made of. */
        int parts() {
            return variant.callanish() && Boards.inPlay(context) ? 3 : 1;
        }

        void play(String word) {
            String canonical = Squares.canonical(word);
            int[] squares = Squares.read(canonical, variant);
            if (result().equals("none") && squares.length > 0) {
                if (!variant.callanish() || squares.length == 1) {
                    if (squares.length == (variant.callanish() ? 1 : 2) && parts() == 1) {
                        int to = squares[squares.length - 1];
                        if (apply(move -> move.to() == to && (variant.callanish() || move.from() == squares[0]))) {
                            played(canonical);
                            return;
                        }
                    }
                } else if (parts() == 3 && squares.length == 3 && apply(move -> move.from() == squares[0])
                    && apply(move -> move.to() == squares[1]) && apply(move -> move.to() == squares[2])) {
                    played(canonical);
                    return;
                }
            }
            throw new IllegalArgumentException("illegal move '" + word + "'");
        }

        private interface Wanted {
            boolean test(Move move);
        }

        private boolean apply(Wanted wanted) {
            for (Move move : game.moves(context).moves()) {
                if (!move.isPass() && wanted.test(move)) {
                    game.apply(context, move);
                    return true;
                }
            }
            return false;
        }

        private void played(String word) {
            words.add(word);
            note();
        }

        /** Count the position. Neither Ludii's Brandub nor the descriptions below know repetition; our rules do. */
        private void note() {
            if (!variant.callanish()) {
                String key = Boards.text(variant, context) + context.state().mover();
                repeated = occurrences.merge(key, 1, Integer::sum) >= 3;
            }
        }

        String result() {
            if (context.trial().over()) {
                int winner = context.trial().status().winner();
                return winner == 0 ? "draw" : "p" + winner + "win";
            }
            int mover = context.state().mover();
            if (words.isEmpty() && !fen.isEmpty() && variant.callanish() && Boards.holdsLine(variant, context, mover)) {
                return "p" + mover + "win";
            }
            if (repeated) {
                return variant.repetitionLoses() ? "p" + mover + "win" : "draw";
            }
            if (hasMove()) {
                return "none";
            }
            return variant.stuckLoses() ? "p" + (3 - mover) + "win" : "draw";
        }

        /** Ludii lets a side without a move pass, or goes on without one. By our rules the game is over. */
        private boolean hasMove() {
            for (Move move : game.moves(context).moves()) {
                if (!move.isPass()) {
                    return true;
                }
            }
            return false;
        }

        TreeSet<String> legal() {
            TreeSet<String> found = new TreeSet<>();
            for (Move move : game.moves(context).moves()) {
                if (move.isPass()) {
                    continue;
                }
                if (!variant.callanish()) {
                    found.add(Squares.name(move.from(), variant) + Squares.name(move.to(), variant));
                } else if (parts() == 1) {
                    found.add(Squares.name(move.to(), variant));
                } else {
                    turns(move, found);
                }
            }
            return found;
        }

        private void turns(Move chosen, TreeSet<String> found) {
            Context marked = new Context(context);
            game.apply(marked, chosen);
            for (Move first : game.moves(marked).moves()) {
                Context half = new Context(marked);
                game.apply(half, first);
                for (Move second : game.moves(half).moves()) {
                    found.add(word(List.of(chosen, first, second)));
                }
            }
        }

        String word(List<Move> parts) {
            Move first = parts.get(0);
            if (parts.size() == 1) {
                String to = Squares.name(first.to(), variant);
                return variant.callanish() ? to : Squares.name(first.from(), variant) + to;
            }
            String turn = Squares.name(first.from(), variant);
            return Squares.canonical(
                turn + Squares.name(parts.get(1).to(), variant) + Squares.name(parts.get(2).to(), variant));
        }

        /** Any legal move, for want of a better one. */
        String anyMove() {
            TreeSet<String> all = legal();
            return all.isEmpty() ? NO_MOVE : all.first();
        }

        String fen() {
            int before = fen.isEmpty() || !fen.contains(" p2") ? 0 : 1;
            int turn = firstTurn + (words.size() + before) / 2;
            return Boards.text(variant, context) + " p" + context.state().mover() + " " + turn;
        }
    }

    /** Names of squares and of moves. Ludii numbers the squares of a board from a1 along the ranks, holes left out. */
    private static final class Squares {
        static String name(int site, Variant variant) {
            int square = variant.square(site);
            return "" + (char) ('a' + square % variant.size()) + (square / variant.size() + 1);
        }

        /** The squares of a move as Ludii's numbers; none where the word is no move. */
        static int[] read(String word, Variant variant) {
            if (!word.matches("([a-y]\\d{1,2}){1,3}")) {
                return new int[0];
            }
            String[] names = split(word);
            int[] sites = new int[names.length];
            for (int i = 0; i < names.length; i++) {
                int file = names[i].charAt(0) - 'a';
                int rank = Integer.parseInt(names[i].substring(1)) - 1;
                if (file >= variant.size() || rank >= variant.size() || rank < 0) {
                    return new int[0];
                }
                sites[i] = variant.site(rank * variant.size() + file);
                if (sites[i] < 0) {
                    return new int[0];
                }
            }
            return sites;
        }

        private static String[] split(String word) {
            return word.split("(?<=\\d)(?=[a-y])");
        }

        /** The two targets of a turn in ascending order. */
        static String canonical(String word) {
            String low = word.toLowerCase();
            if (!low.matches("([a-y]\\d{1,2}){3}")) {
                return low;
            }
            String[] names = split(low);
            return isBefore(names[2], names[1]) ? names[0] + names[2] + names[1] : low;
        }

        private static boolean isBefore(String one, String two) {
            if (one.charAt(0) != two.charAt(0)) {
                return one.charAt(0) < two.charAt(0);
            }
            return Integer.parseInt(one.substring(1)) < Integer.parseInt(two.substring(1));
        }
    }

    /** The board as the text of a position string. */
    private static final class Boards {
        /** True in the part of Callanish that follows the two placements. */
        static boolean inPlay(Context context) {
            return context.trial().numMoves() - context.trial().numInitialPlacementMoves() >= 2;
        }

        static String text(Variant variant, Context context) {
            ContainerState state = context.state().containerStates()[0];
            StringBuilder text = new StringBuilder();
            for (int rank = variant.size() - 1; rank >= 0; rank--) {
                int run = 0;
                for (int file = 0; file < variant.size(); file++) {
                    char letter = letter(variant, state, variant.site(rank * variant.size() + file), context);
                    if (letter == '.') {
                        run++;
                        continue;
                    }
                    text.append(run > 0 ? "" + run : "").append(letter);
                    run = 0;
                }
                text.append(run > 0 ? "" + run : "").append(rank > 0 ? "/" : "");
            }
            return text.toString();
        }

        /** Whether a side controls half of a rank or file. Ludii looks only after a turn, and not at a set position. */
        static boolean holdsLine(Variant variant, Context context, int side) {
            ContainerState state = context.state().containerStates()[0];
            int size = variant.size();
            for (int line = 0; line < 2 * size; line++) {
                int squares = 0;
                int held = 0;
                for (int i = 0; i < size; i++) {
                    int site = variant.site(line < size ? line * size + i : i * size + line - size);
                    int height = site < 0 ? 0 : state.sizeStack(site, SiteType.Cell);
                    squares += site < 0 ? 0 : 1;
                    held += height > 0 && state.who(site, height - 1, SiteType.Cell) == side ? 1 : 0;
                }
                if (squares > 0 && held >= (squares + 1) / 2) {
                    return true;
                }
            }
            return false;
        }

        private static char letter(Variant variant, ContainerState state, int site, Context context) {
            if (site < 0) {
                return '*';
            }
            if (!variant.callanish()) {
                int what = state.what(site, SiteType.Cell);
                return what == 0 ? '.' : variant.letter(context.components()[what].name());
            }
            int height = state.sizeStack(site, SiteType.Cell);
            if (height == 0) {
                return '.';
            }
            char top = state.who(site, height - 1, SiteType.Cell) == 1 ? 'w' : 'b';
            return height == 1 ? top : Character.toUpperCase(top);
        }

        /** Put the board of a position string in the place of the start board, and return its turn number. */
        static int setUp(Variant variant, Context context, String fen) {
            String[] words = fen.split(" +");
            char[] letters = letters(words[0], variant);
            boolean second = words.length > 1 && words[1].equals("p2");
            int turn = words.length > 2 && words[2].matches("\\d{1,6}") ? Integer.parseInt(words[2]) : 1;
            if (variant.callanish()) {
                playOn(variant, context, new String(letters), second);
            } else if (second) {
                context.state().setMover(2);
                context.state().setNext(1);
                context.state().setPrev(1);
            }
            ContainerState state = context.state().containerStates()[0];
            for (int square = 0; square < letters.length; square++) {
                int site = variant.site(square);
                if (site < 0) {
                    continue;
                }
                while (state.sizeStack(site, SiteType.Cell) > 0) {
                    ActionRemove.construct(SiteType.Cell, site, Constants.UNDEFINED, true).apply(context, true);
                }
                for (String name : variant.pieces(letters[square])) {
                    ActionAdd add = new ActionAdd(SiteType.Cell, site, component(context, name), 1,
                        Constants.UNDEFINED, Constants.UNDEFINED, Constants.UNDEFINED, variant.callanish());
                    add.apply(context, true);
                }
            }
            context.trial().clearLegalMoves();
            return turn;
        }

        /**
         * Play any moves until Ludii waits for the turn that the position string has: it counts the moves to know the
         * part of the game and the part of a turn. The board is replaced afterwards.
         */
        private static void playOn(Variant variant, Context context, String letters, boolean second) {
            boolean white = letters.matches(".*[wWB].*");
            boolean black = letters.matches(".*[bWB].*");
            boolean placing = second ? !black : !white;
            int centre = variant.site(variant.size() / 2 * variant.size() + variant.size() / 2);
            int moves = placing ? (second ? 1 : 0) : (second ? 5 : 2);
            for (int i = 0; i < moves; i++) {
                Move chosen = null;
                for (Move move : context.game().moves(context).moves()) {
                    // The stone in the centre has targets on every board, so that p1 has a turn to play.
                    if (chosen == null || (i == 0 && move.to() == centre)) {
                        chosen = move;
                    }
                }
                context.game().apply(context, chosen);
            }
        }

        /** The letter of each square from a1 along the ranks; a dot is an empty one. */
        private static char[] letters(String board, Variant variant) {
            String[] rows = board.split("/");
            char[] letters = new char[variant.size() * variant.size()];
            for (int row = 0; row < rows.length; row++) {
                StringBuilder squares = new StringBuilder();
                for (String part : rows[row].split("(?<=\\d)(?=\\D)|(?<=\\D)")) {
                    squares.append(part.matches("\\d{1,2}") ? ".".repeat(Integer.parseInt(part)) : part);
                }
                if (rows.length != variant.size() || squares.length() != variant.size()) {
                    throw new IllegalArgumentException("the board must have " + variant.size() + " files and ranks");
                }
                squares.getChars(0, variant.size(), letters, (variant.size() - 1 - row) * variant.size());
            }
            for (int square = 0; square < letters.length; square++) {
                if ((letters[square] == '*') != (variant.site(square) < 0)) {
                    throw new IllegalArgumentException("the board has other holes than " + variant.name);
                }
            }
            return letters;
        }

        private static int component(Context context, String name) {
            for (int i = 1; i < context.components().length; i++) {
                String known = context.components()[i].name();
                if (known.equals(name) || known.equals(name.replace("Man", "Thrall").replace("King", "Jarl"))) {
                    return i;
                }
            }
            throw new IllegalStateException("Ludii has no piece " + name);
        }
    }

    /** One of our variants as Ludii knows it. */
    private static final class Variant {
        private final String name;
        private final int size;
        private final boolean[] holes;
        private final String library;
        private final List<String> options;
        private final String description;
        private final boolean repetitionLoses;
        private final boolean stuckLoses;
        private int[] sites;
        private int[] squares;
        private Game game;

        /** `library` is a file of Ludii's own with its options; otherwise `description` is the game. */
        Variant(String name, int size, boolean[] holes, String library, List<String> options, String description,
            boolean repetitionLoses, boolean stuckLoses) {
            this.name = name;
            this.size = size;
            this.holes = holes;
            this.library = library;
            this.options = options;
            this.description = description;
            this.repetitionLoses = repetitionLoses;
            this.stuckLoses = stuckLoses;
            number();
        }

        private void number() {
            sites = new int[size * size];
            List<Integer> present = new ArrayList<>();
            for (int square = 0; square < size * size; square++) {
                sites[square] = holes[square] ? -1 : present.size();
                if (!holes[square]) {
                    present.add(square);
                }
            }
            squares = present.stream().mapToInt(Integer::intValue).toArray();
        }

        Game game() {
            if (game == null) {
                game = library.isEmpty()
                    ? (Game) Compiler.compile(
                        new Description(description), new UserSelections(new ArrayList<>()), new Report(), false)
                    : GameLoader.loadGameFromName(library, new ArrayList<>(options));
            }
            return game;
        }

        boolean isCompiled() {
            return game != null;
        }

        boolean callanish() {
            return name.startsWith("callanish");
        }

        boolean repetitionLoses() {
            return repetitionLoses;
        }

        boolean stuckLoses() {
            return stuckLoses;
        }

        int size() {
            return size;
        }

        int site(int square) {
            return sites[square];
        }

        int square(int site) {
            return squares[site];
        }

        /** The pieces on a square with this letter, the lowest first. */
        List<String> pieces(char letter) {
            return switch (letter) {
                case '.' -> List.of();
                case 'a' -> List.of("Man1");
                case 'd' -> List.of("Man2");
                case 'k' -> List.of("King2");
                case 'w' -> List.of("Disc1");
                case 'b' -> List.of("Disc2");
                case 'W' -> List.of("Disc2", "Disc1");
                case 'B' -> List.of("Disc1", "Disc2");
                default -> throw new IllegalArgumentException("there is no piece '" + letter + "'");
            };
        }

        char letter(String component) {
            return component.startsWith("Jarl") || component.startsWith("King") ? 'k'
                : component.endsWith("1") ? 'a' : 'd';
        }
    }

    /** The variants that Ludii can play: Callanish and Brandub from its own library, the others described here. */
    private static final class Variants {
        private static final Map<String, String> CALLANISH = new LinkedHashMap<>();
        /** Where Ludii's own description has our rules: the file and its option. */
        private static final Map<String, List<String>> LIBRARY =
            Map.of("brandub-nielsen", List.of("/lud/board/war/custodial/Brandub.lud", "Variant/Nielsen"));
        private static final Map<String, String> TAFL = new LinkedHashMap<>();
        private static final String CROSS = "3a3/3a3/3d3/aadkdaa/3d3/3a3/3a3";
        private static final String ARD_RI = "2aaa2/3a3/a1ddd1a/aadkdaa/a1ddd1a/3a3/2aaa2";
        private static final String SCOTTISH = CROSS + " escape=edge king_armed=no king_steps=any men_steps=any"
            + " king_captured_by=two centre_stop=king centre_hostile=no corner_stop=any corner_hostile=no"
            + " repetition=draw no_move=loses";
        private static final int[] CORNERS = {0, 1, 7, 8, 9, 17, 63, 71, 72, 73, 79, 80};
        private static final List<String> NAMES;
        private static final Map<String, Variant> MADE = new HashMap<>();

        static {
            CALLANISH.put("callanish-9", "9x9");
            CALLANISH.put("callanish-7", "7x7");
            CALLANISH.put("callanish-11", "11x11");
            CALLANISH.put("callanish-13", "13x13");
            CALLANISH.put("callanish-corners", "Missing Corners");
            String brandub = SCOTTISH + " escape=corner king_armed=yes corner_stop=king corner_hostile=yes";
            TAFL.put("scottish", SCOTTISH);
            TAFL.put("scottish-armed", SCOTTISH + " king_armed=yes");
            TAFL.put("scottish-king1", SCOTTISH + " king_armed=yes king_steps=1");
            TAFL.put("scottish-king2", SCOTTISH + " king_armed=yes king_steps=2");
            TAFL.put("scottish-king3", SCOTTISH + " king_armed=yes king_steps=3");
            TAFL.put("brandub", brandub);
            TAFL.put("brandub-nielsen",
                brandub + " king_captured_by=four-three-two centre_stop=nobody centre_hostile=yes");
            String ardRi = SCOTTISH.replace(CROSS, ARD_RI) + " men_steps=1 king_steps=1 king_armed=yes";
            TAFL.put("ard-ri", ardRi + " king_captured_by=four");
            TAFL.put("ard-ri-two", ardRi);
            TAFL.put("tawlbwrdd",
                SCOTTISH.replace(CROSS, "4aaa4/4a1a4/5a5/5d5/aa2ddd2aa/a1addkdda1a/aa2ddd2aa/5d5/5a5/4a1a4/4aaa4")
                    + " king_armed=yes centre_stop=any");
            TAFL.put("sea-battle-9",
                SCOTTISH.replace(CROSS, "3aaa3/4a4/4d4/a3d3a/aaddkddaa/a3d3a/4d4/4a4/3aaa3")
                    + " king_captured_by=four centre_stop=any");
            List<String> names = new ArrayList<>(CALLANISH.keySet());
            names.addAll(TAFL.keySet());
            NAMES = List.copyOf(names);
        }

        static Variant of(String name, String rules) {
            return MADE.computeIfAbsent(name + " " + rules, key -> make(name, rules));
        }

        private static Variant make(String name, String rules) {
            if (CALLANISH.containsKey(name)) {
                if (!rules.isEmpty()) {
                    throw new IllegalArgumentException("Ludii's Callanish has no such rules: " + rules);
                }
                boolean corners = name.equals("callanish-corners");
                int size = corners ? 9 : Integer.parseInt(name.substring("callanish-".length()));
                boolean[] holes = new boolean[size * size];
                for (int square : corners ? CORNERS : new int[0]) {
                    holes[square] = true;
                }
                return new Variant(name, size, holes, "/lud/board/space/line/Callanish.lud",
                    List.of("Board Size/" + CALLANISH.get(name)), "", false, true);
            }
            Map<String, String> knobs = read(TAFL.get(name) + " " + rules);
            String board = TAFL.get(name).split(" ")[0];
            int size = board.split("/").length;
            List<String> library = rules.isEmpty() ? LIBRARY.getOrDefault(name, List.of("", "")) : List.of("", "");
            return new Variant(name, size, new boolean[size * size], library.get(0), library.subList(1, 2),
                TaflText.of(board, size, knobs), knobs.get("repetition").equals("loses"),
                knobs.get("no_move").equals("loses"));
        }

        /** Raises IllegalArgumentException where the text is no list of rule options. */
        static void check(String rules) {
            read(SCOTTISH + " " + rules);
        }

        private static Map<String, String> read(String text) {
            Map<String, String> knobs = new HashMap<>();
            String[] words = text.trim().split(" +");
            for (String word : Arrays.copyOfRange(words, 1, words.length)) {
                String[] pair = word.split("=", 2);
                boolean known = TaflText.KNOBS.containsKey(pair[0]) && pair.length == 2;
                if (!known || !pair[1].matches(TaflText.KNOBS.get(pair[0]))) {
                    throw new IllegalArgumentException("the rules of this adapter have no " + word);
                }
                knobs.put(pair[0], pair[1]);
            }
            return knobs;
        }
    }

    /** Writes a tafl game in Ludii's language of games. */
    private static final class TaflText {
        static final Map<String, String> KNOBS = Map.ofEntries(
            Map.entry("escape", "edge|corner"), Map.entry("king_armed", "yes|no"),
            Map.entry("king_steps", "any|[1-9]|1\\d|2[0-4]"), Map.entry("men_steps", "any|[1-9]|1\\d|2[0-4]"),
            Map.entry("king_captured_by", "two|four|four-three-two"), Map.entry("centre_stop", "king|any|nobody"),
            Map.entry("centre_hostile", "yes|no"), Map.entry("corner_stop", "king|any"),
            Map.entry("corner_hostile", "yes|no"), Map.entry("repetition", "draw|loses"),
            Map.entry("no_move", "loses|draw"));

        private static final String EMPTY_CENTRE = "(and (is In (to) (sites Centre)) (is Empty (to)))";
        private static final String FRIEND = "(is Friend (who at:(to)))";
        private static final String CAPTURED = "(apply (trigger \"Captured\" P2))";

        static String of(String board, int size, Map<String, String> knobs) {
            String attackers = either(taken("Man2", FRIEND, knobs), kingTaken(knobs));
            boolean armed = knobs.get("king_armed").equals("yes");
            String defenders = taken("Man1", armed ? FRIEND : "(= (what at:(to)) (id \"Man2\"))", knobs);
            String goal = knobs.get("escape").equals("edge") ? "Outer" : "Corners";
            String stuck = knobs.get("no_move").equals("loses") ? "(result Next Loss)" : "(result Mover Draw)";
            return "(game \"Tafl\" (players 2) (equipment { (board (square " + size + "))"
                + piece("Man", "P1", "men_steps", attackers, false, knobs)
                + piece("Man", "P2", "men_steps", defenders, false, knobs)
                + piece("King", "P2", "king_steps", armed ? defenders : "", true, knobs)
                + "}) (rules (start {" + placed(board, size) + "}) (play (forEach Piece)) (end {"
                + "(if (is Within (id \"King2\") in:(sites " + goal + ")) (result P2 Win))"
                + "(if (is Triggered \"Captured\" P2) (result P1 Win))"
                + "(if (no Moves Next) " + stuck + ")})))";
        }

        private static String piece(String name, String owner, String steps, String captures, boolean king,
            Map<String, String> knobs) {
            List<String> closed = new ArrayList<>();
            if (knobs.get("centre_stop").equals("nobody") || (!king && knobs.get("centre_stop").equals("king"))) {
                closed.add("(is In (to) (sites Centre))");
            }
            if (!king && knobs.get("corner_stop").equals("king")) {
                closed.add("(is In (to) (sites Corners))");
            }
            String reach = knobs.get(steps).equals("any") ? "" : "(between (max " + knobs.get(steps) + "))";
            String stops = closed.isEmpty() ? "" : "(to (apply if:(not " + any(closed) + ")))";
            String then = captures.isEmpty() ? "" : "(then " + captures + ")";
            return "(piece \"" + name + "\" " + owner + " (move Slide Orthogonal " + reach + stops + then + "))";
        }

        private static String taken(String enemy, String friend, Map<String, String> knobs) {
            return "(custodial (from (last To)) Orthogonal (between (max 1) if:(= (what at:(between)) (id \"" + enemy
                + "\")) (apply (remove (between)))) (to if:" + any(hostile(friend, knobs)) + "))";
        }

        private static List<String> hostile(String friend, Map<String, String> knobs) {
            List<String> squares = new ArrayList<>(List.of(friend));
            if (knobs.get("corner_hostile").equals("yes")) {
                squares.add("(is In (to) (sites Corners))");
            }
            if (knobs.get("centre_hostile").equals("yes")) {
                squares.add(EMPTY_CENTRE);
            }
            return squares;
        }

        private static String kingTaken(Map<String, String> knobs) {
            String king = "(= (what at:(between)) (id \"King2\"))";
            String pair = any(hostile(FRIEND, knobs));
            String near = "(is In (between) (expand origin:(centrePoint) Orthogonal))";
            String inside = "(not (is In (between) (sites Outer)))";
            boolean centre = knobs.get("centre_hostile").equals("yes");
            return switch (knobs.get("king_captured_by")) {
                case "two" -> custody(king, pair);
                case "four" -> surrounded(
                    "(and " + king + " " + inside + ")", centre ? any(List.of(FRIEND, EMPTY_CENTRE)) : FRIEND);
                default -> either(
                    surrounded("(and " + king + " " + near + ")", any(List.of(FRIEND, EMPTY_CENTRE))),
                    custody("(and " + king + " (not " + near + "))", pair));
            };
        }

        private static String custody(String who, String by) {
            return "(custodial (from (last To)) Orthogonal (between (max 1) if:" + who + " " + CAPTURED + ") (to if:"
                + by + "))";
        }

        private static String surrounded(String who, String by) {
            return "(surround (from (last To)) Orthogonal (between if:" + who + " " + CAPTURED + ") (to if:" + by + "))";
        }

        private static String either(String one, String other) {
            return "(or " + one + " " + other + ")";
        }

        private static String any(List<String> conditions) {
            return conditions.size() == 1 ? conditions.get(0) : "(or {" + String.join(" ", conditions) + "})";
        }

        private static String placed(String board, int size) {
            Map<Character, List<String>> squares = new LinkedHashMap<>();
            String[] rows = board.split("/");
            for (int row = 0; row < rows.length; row++) {
                int file = 0;
                for (String part : rows[row].split("(?<=\\d)(?=\\D)|(?<=\\D)")) {
                    if (part.matches("\\d+")) {
                        file += Integer.parseInt(part);
                        continue;
                    }
                    String square = "\"" + (char) ('A' + file++) + (size - row) + "\"";
                    squares.computeIfAbsent(part.charAt(0), letter -> new ArrayList<>()).add(square);
                }
            }
            Map<Character, String> names = Map.of('a', "Man1", 'd', "Man2", 'k', "King2");
            StringBuilder text = new StringBuilder();
            squares.forEach((letter, where) ->
                text.append("(place \"" + names.get(letter) + "\" {" + String.join(" ", where) + "})"));
            return text.toString();
        }
    }
}
