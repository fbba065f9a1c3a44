<?php
/**
 * Plugin Name: Agent Chat
 * Description: Puts the chat widget agent-chat on every page, and issues its tokens.
 * Version: 0.1.0
 * Requires at least: 6.0
 * Requires PHP: 7.4
 * License: MIT
 *
 * In wp-config.php:
 *   define('AGENT_CHAT_SERVICE', 'https://chat.example.com');
 *   define('AGENT_CHAT_AGENT', 'harbour');
 *   define('AGENT_CHAT_SECRET', 'the JWT_SECRET of the service');
 */

if (!defined('ABSPATH')) {
    exit;
}

add_action('wp_enqueue_scripts', function (): void {
    if (defined('AGENT_CHAT_SERVICE')) {
        wp_enqueue_script('agent-chat', AGENT_CHAT_SERVICE . '/agent-chat.js', [], null, false);
    }
});

add_filter('script_loader_tag', function (string $tag, string $handle): string {
    if ($handle !== 'agent-chat') {
        return $tag;
    }
    $token_url = rest_url('agent-chat/v1/token');
    $user = '';
    // a page for guests may come from a cache: it holds nothing of a visitor
    if (is_user_logged_in()) {
        $token_url = add_query_arg('_wpnonce', wp_create_nonce('wp_rest'), $token_url);
        $user = sprintf(' data-visitor="%s"', esc_attr(agent_chat_visitor()));
    }
    $settings = sprintf(' async data-agent-id="%s" data-token-url="%s"%s', esc_attr(AGENT_CHAT_AGENT), esc_url($token_url), $user);
    return str_replace('<script', '<script' . $settings, $tag);
}, 10, 2);

add_action('rest_api_init', function (): void {
    register_rest_route('agent-chat/v1', '/token', [
        'methods' => 'GET',
        'permission_callback' => '__return_true', // 'is_user_logged_in' refuses guests
        'callback' => function (): WP_REST_Response {
            $response = new WP_REST_Response(['token' => agent_chat_token(agent_chat_visitor())]);
            $response->header('Cache-Control', 'no-store');
            return $response;
        },
    ]);
});

/** An id that is the same in every visit, and says nothing about the person. A cookie recognizes a guest. */
function agent_chat_visitor(): string
{
    if (is_user_logged_in()) {
        return hash_hmac('sha256', 'user ' . get_current_user_id(), AGENT_CHAT_SECRET);
    }
    $guest = $_COOKIE['agent_chat'] ?? wp_generate_uuid4();
    setcookie('agent_chat', $guest, [
        'expires' => time() + MONTH_IN_SECONDS,
        'path' => '/',
        'secure' => is_ssl(),
        'httponly' => true,
        'samesite' => 'Lax',
    ]);
    return hash_hmac('sha256', 'guest ' . $guest, AGENT_CHAT_SECRET);
}

/** A token for one visitor, good for ten minutes. */
function agent_chat_token(string $visitor): string
{
    $encode = fn (string $data): string => rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
    $claims = ['sub' => $visitor, 'tenant_id' => 'shop', 'scope' => 'run callback notify', 'exp' => time() + 600];
    $unsigned = $encode('{"alg":"HS256"}') . '.' . $encode(json_encode($claims));
    return $unsigned . '.' . $encode(hash_hmac('sha256', $unsigned, AGENT_CHAT_SECRET, true));
}
