import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A client of the Tablut Challenge: moves the first piece that can go one square. Arguments: role, time, host, a word, port. */
class TablutClient {
    static final String CAMPS = " a4 a5 a6 b5 d1 e1 f1 e2 i4 i5 i6 h5 d9 e9 f9 e8 ";
    static final Pattern WORDS = Pattern.compile("\"([A-Z]+)\"");

    public static void main(String[] words) throws Exception {
        String role = words[0];
        try (Socket socket = new Socket("localhost", Integer.parseInt(words[4]))) {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            send(out, "\"Java\"");
            while (true) {
                byte[] data = new byte[in.readInt()];
                in.readFully(data);
                List<String> said = new ArrayList<>();
                Matcher matcher = WORDS.matcher(new String(data, StandardCharsets.UTF_8));
                while (matcher.find()) said.add(matcher.group(1));
                String turn = said.get(81);
                if (turn.endsWith("WIN") || turn.equals("DRAW")) return;
                if (turn.equals(role)) send(out, move(said, role));
            }
        }
    }

    static String move(List<String> board, String role) {
        int[][] ways = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
        for (int from = 0; from < 81; from++) {
            if (!board.get(from).equals(role)) continue;
            for (int[] way : ways) {
                int row = from / 9 + way[0], column = from % 9 + way[1];
                if (row < 0 || row > 8 || column < 0 || column > 8) continue;
                boolean free = board.get(9 * row + column).equals("EMPTY") && !CAMPS.contains(" " + name(row, column) + " ");
                if (!free) continue;
                return "{\"from\":\"" + name(from / 9, from % 9) + "\",\"to\":\"" + name(row, column) + "\",\"turn\":\"" + role + "\"}";
            }
        }
        throw new IllegalStateException("no move");
    }

    static String name(int row, int column) {
        return (char) ('a' + column) + String.valueOf(row + 1);
    }

    static void send(DataOutputStream out, String text) throws Exception {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(data.length);
        out.write(data);
    }
}
