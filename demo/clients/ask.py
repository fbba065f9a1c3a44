# Asks an agent and prints the answer as it comes, with Python's standard library only: python3 ask.py TEXT [THREAD_ID]
# CHAT_URL is the service's address, CHAT_TOKEN a visitor's token or an API key with the scope "run".
import http.client, json, os, sys, time, urllib.error, urllib.request, uuid

url, token, agent = os.environ["CHAT_URL"], os.environ["CHAT_TOKEN"], os.environ.get("CHAT_AGENT", "echo")
questions = ("message.interrupt", "flow.slot.listen")  # events with which the agent asks something

def events(method, path, body=None):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json", "Accept": "application/x-ndjson"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url + path, data, headers, method=method)
    with urllib.request.urlopen(request, timeout=35) as stream:  # an empty line comes at least every ten seconds
        for line in stream:
            if line.strip():
                yield json.loads(line)

def ask(text, thread_id=None):
    key = str(uuid.uuid4())  # the service never runs a message twice that has the same key
    message = {"role": "user", "content": text, "additional_properties": {"client_message_id": key}}
    run = {"agent_id": agent, "message": message, **({"thread_id": thread_id} if thread_id else {})}
    seen = set()
    for attempt in range(6):
        try:
            for event in events("POST", "/api/v1/hub/runs/stream", run):
                if event["id"] not in seen:
                    seen.add(event["id"])
                    yield event
                if event["event"] in ("done", *questions):
                    return
        except urllib.error.HTTPError as refusal:
            if refusal.code not in (429, 503):
                raise SystemExit(f"{refusal.code}: {refusal.read().decode()}")
            time.sleep(int(refusal.headers.get("Retry-After", "1")))
        except (OSError, http.client.HTTPException):  # the connection broke: ask again, which sends the same run from its start
            time.sleep(attempt)
    raise SystemExit("the answer broke off")

def text_of(content):
    return content if isinstance(content, str) else "".join(item.get("text", "") for item in content or [])

created, has_deltas = None, False
for event in ask(*sys.argv[1:3]):
    data = event["data"]
    if event["event"] == "message.delta":
        print(text_of(data["delta"]["content"]), end="", flush=True)
        has_deltas = True
    elif event["event"] == "message.created":  # the whole message: after its deltas, or without any
        created = data["message"]
        if not has_deltas:
            print(text_of(created["content"]), end="", flush=True)
        has_deltas = False
    elif event["event"] in questions:  # also a decision: the answer is the next run of the thread
        print(json.dumps((data.get("message") or created)["content"]))  # the form of a decision comes before it
    elif event["event"] in ("run.failed", "run.expired", "run.cancelled"):  # what came is not the whole answer
        raise SystemExit("\n" + data.get("error", {}).get("message", event["event"]))
    elif event["event"] == "run.started":
        print(f"thread {data['thread_id']}", file=sys.stderr)
