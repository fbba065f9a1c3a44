import com.sun.net.httpserver.*; import java.util.*; import javax.crypto.Mac; import javax.crypto.spec.SecretKeySpec;

class ChatToken {
    static final Map<String, String> SESSIONS = Map.of("session=demo-session", "visitor-1"); // replace by your own sessions
    static String encode(byte[] data) { return Base64.getUrlEncoder().withoutPadding().encodeToString(data); }
    static String token(String visitor) throws Exception {
        if (!visitor.matches("[\\w.@-]+")) throw new IllegalArgumentException("A quote in an id would change the claims.");
        var claims = "{\"sub\":\"%s\",\"tenant_id\":\"shop\",\"scope\":\"run callback notify\",\"exp\":%d}";
        var unsigned = encode("{\"alg\":\"HS256\"}".getBytes()) + "." + encode(claims.formatted(visitor, System.currentTimeMillis() / 1000 + 600).getBytes());
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(System.getenv("JWT_SECRET").getBytes(), "HmacSHA256"));
        return unsigned + "." + encode(mac.doFinal(unsigned.getBytes()));
    }
    public static void main(String[] words) throws Exception {
        var server = HttpServer.create(new java.net.InetSocketAddress(Integer.parseInt(System.getenv("PORT"))), 0);
        server.createContext("/chat-token", exchange -> { try (exchange) {
            var cookies = String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")).split("; ");
            var visitor = Arrays.stream(cookies).map(SESSIONS::get).filter(Objects::nonNull).findFirst().orElse(null);
            exchange.getResponseHeaders().putAll(Map.of("Content-Type", List.of("application/json"), "Cache-Control", List.of("no-store")));
            exchange.sendResponseHeaders(visitor == null ? 401 : 200, 0);
            exchange.getResponseBody().write((visitor == null ? "{}" : "{\"token\":\"" + token(visitor) + "\"}").getBytes());
        } catch (Exception error) { throw new IllegalStateException(error); } });
        server.start();
    }
}
