from flask import Flask, jsonify, request
from chat_token import chat_token

SESSIONS = {"demo-session": "visitor-1"}  # replace by your own sessions
app = Flask(__name__)

@app.get("/chat-token")
def token():
    visitor = SESSIONS.get(request.cookies.get("session"))
    if visitor is None:
        return jsonify({}), 401
    return jsonify(token=chat_token(visitor)), 200, {"Cache-Control": "no-store"}
