from fastapi import Cookie, FastAPI, HTTPException, Response
from chat_token import chat_token

SESSIONS = {"demo-session": "visitor-1"}  # replace by your own sessions
app = FastAPI()

@app.get("/chat-token")
def token(response: Response, session: str = Cookie(default="")):
    visitor = SESSIONS.get(session)
    if visitor is None:
        raise HTTPException(status_code=401)
    response.headers["Cache-Control"] = "no-store"
    return {"token": chat_token(visitor)}
