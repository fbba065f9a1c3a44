import base64, hashlib, hmac, json, os, time

def encode(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")

def chat_token(visitor_id: str) -> str:
    """A token for a signed-in visitor, good for ten minutes."""
    claims = {"sub": visitor_id, "tenant_id": "shop", "scope": "run callback notify", "exp": int(time.time()) + 600}
    unsigned = encode(b'{"alg":"HS256"}') + b"." + encode(json.dumps(claims).encode())
    signature = hmac.new(os.environ["JWT_SECRET"].encode(), unsigned, hashlib.sha256).digest()
    return (unsigned + b"." + encode(signature)).decode()
