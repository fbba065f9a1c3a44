import json, os
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from chat_token import chat_token

SESSIONS = {"demo-session": "visitor-1"}  # replace by your own sessions

class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        cookie = SimpleCookie(self.headers.get("Cookie")).get("session")
        visitor = SESSIONS.get(cookie.value) if cookie else None
        is_token = self.path == "/chat-token"
        self.send_response(404 if not is_token else 200 if visitor else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(json.dumps({"token": chat_token(visitor)} if is_token and visitor else {}).encode())

ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Handler).serve_forever()
