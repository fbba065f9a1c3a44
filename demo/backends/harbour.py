# A back end for an agent of the kind "http", with Python's standard library only: python3 harbour.py [port]
import hashlib, hmac, json, os, re, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
secret = os.environ["SIGNING_SECRET"].encode()
seen = {}  # signatures of the last five minutes

def is_genuine(header, body):
    match, now = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", header or ""), time.time() * 1000
    for old in [old for old, at in seen.items() if now - at > 300_000]:
        del seen[old]
    if not match or abs(now - int(match[1])) > 300_000 or match[2] in seen:
        return False
    own = hmac.new(secret, match[1].encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(own, match[2]) and not seen.update({match[2]: int(match[1])})

def answer(run):
    content = run["message"]["content"]
    form = next((item for item in content if item.get("form_operation") == "submit"), None)
    text = "".join(item.get("text", "") for item in content)
    sentence = f"You said: {text}. That was message {len(run['history']) + 1}."
    if form:
        sentence = f"Berth booked for {form['form_data']['nights']} nights."
    elif "book" in text.lower():
        schema = {"type": "object", "properties": {"nights": {"type": "integer", "minimum": 1}}, "required": ["nights"]}
        item = {"response_type": "forms", "id": "booking", "name": "Book a berth", "json_schema": schema}
        yield {"event": "message.interrupt", "data": {"message": {"role": "assistant", "content": [item]}}}
        return
    for word in re.split(r"(?<= )", sentence):
        yield {"event": "message.delta", "data": {"delta": {"text": word}}}
    yield {"event": "done"}

class Handler(BaseHTTPRequestHandler):
    answer = staticmethod(answer)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        genuine = is_genuine(self.headers["x-agent-signature"], body)
        self.send_response(200 if genuine else 401)
        self.end_headers()
        for event in self.answer(json.loads(body)) if genuine else ():
            self.wfile.write(json.dumps(event).encode() + b"\n")

def serve(handler):
    server = ThreadingHTTPServer(("127.0.0.1", int((sys.argv + [9000])[1])), handler)
    print("listening on", server.server_port, flush=True)
    server.serve_forever()

if __name__ == "__main__":
    serve(Handler)
