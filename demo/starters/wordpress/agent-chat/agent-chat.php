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
 *   define('AGENT_CHAT_SETTINGS', ['theme' => 'light', 'primary-color' => '#12432f']); // if wanted
 */

if (!defined('ABSPATH')) {
    exit;
}

add_action('wp_enqueue_scripts', function (): void {
    // a constant that is missing must cost the chat, not the page
    if (defined('AGENT_CHAT_SERVICE') && defined('AGENT_CHAT_AGENT') && defined('AGENT_CHAT_SECRET')) {
        wp_enqueue_script('agent-chat', AGENT_CHAT_SERVICE . '/agent-chat.js', [], null, false);
    }
});

add_filter('script_loader_tag', function (string $tag, string $handle): string {
    if ($handle !== 'agent-chat') {
        return $tag;
    }
    $settings = defined('AGENT_CHAT_SETTINGS') ? AGENT_CHAT_SETTINGS : [];
    $settings['agent-id'] = AGENT_CHAT_AGENT;
    $settings['token-url'] = admin_url('admin-ajax.php?action=agent_chat_token');
    // a page for guests may come from a cache: it holds nothing of a visitor
    if (is_user_logged_in()) {
        $settings['visitor'] = agent_chat_visitor();
    }
    $attributes = ' async crossorigin';
    foreach ($settings as $name => $value) {
        $attributes .= sprintf(' data-%s="%s"', $name, esc_attr($value));
    }
    return str_replace('<script', '<script' . $attributes, $tag);
}, 10, 2);

// [agent_chat] in a page: the chat stands there, and does not float
add_shortcode('agent_chat', function (): string {
    return '<div><agent-chat form-type="custom" width="100%" height="600px"></agent-chat></div>';
});

// not a REST route: WordPress lets pages of every origin read those, and they need a nonce that ends after a day
add_action('wp_ajax_agent_chat_token', 'agent_chat_send_token');
add_action('wp_ajax_nopriv_agent_chat_token', 'agent_chat_send_token');

function agent_chat_send_token(): void
{
    header('Content-Type: application/json');
    header('Cache-Control: no-store');
    // this line refuses guests:
    // if (!is_user_logged_in()) { status_header(401); exit('{}'); }
    exit(wp_json_encode(['token' => agent_chat_token(agent_chat_visitor())]));
}

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
