<?php
// GET /chat-token
$sessions = ['demo-session' => 'visitor-1']; // replace by your own sessions, such as $_SESSION['user_id']
$visitor = $sessions[$_COOKIE['session'] ?? ''] ?? null;

header('Content-Type: application/json');
header('Cache-Control: no-store');
if ($visitor === null) {
    http_response_code(401);
    exit('{}');
}
$encode = fn(string $data): string => rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
$claims = ['sub' => $visitor, 'tenant_id' => 'shop', 'scope' => 'run callback notify', 'exp' => time() + 600];
$unsigned = $encode('{"alg":"HS256"}') . '.' . $encode(json_encode($claims));
$signature = hash_hmac('sha256', $unsigned, getenv('JWT_SECRET') ?: throw new Exception('Set JWT_SECRET.'), true);
echo json_encode(['token' => $unsigned . '.' . $encode($signature)]);
