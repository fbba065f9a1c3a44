package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "net/http"; "os"; "time")

var sessions = map[string]string{"demo-session": "visitor-1"} // replace by your own sessions

func chatToken(visitor string) string {
	encode := base64.RawURLEncoding.EncodeToString
	claims, _ := json.Marshal(map[string]any{"sub": visitor, "tenant_id": "shop", "scope": "run callback notify", "exp": time.Now().Unix() + 600})
	unsigned := encode([]byte(`{"alg":"HS256"}`)) + "." + encode(claims)
	mac := hmac.New(sha256.New, []byte(os.Getenv("JWT_SECRET")))
	mac.Write([]byte(unsigned))
	return unsigned + "." + encode(mac.Sum(nil))
}

func main() {
	if os.Getenv("JWT_SECRET") == "" { panic("Set JWT_SECRET.") }
	http.HandleFunc("/chat-token", func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("session")
		w.Header().Set("Cache-Control", "no-store")
		if err != nil || sessions[cookie.Value] == "" { http.Error(w, "{}", 401); return }
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{"token": chatToken(sessions[cookie.Value])})
	})
	http.ListenAndServe(":" + os.Getenv("PORT"), nil)
}
