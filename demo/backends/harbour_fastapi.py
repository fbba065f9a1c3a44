# The back end of harbour.py with FastAPI: uvicorn harbour_fastapi:app --port 9000
import json

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import StreamingResponse

from harbour import answer, is_genuine

app = FastAPI()


@app.post("/")
async def run(request: Request):
    body = await request.body()
    if not is_genuine(request.headers.get("x-agent-signature"), body):
        raise HTTPException(401)
    lines = (json.dumps(event) + "\n" for event in answer(json.loads(body)))
    return StreamingResponse(lines, media_type="application/x-ndjson")
