import { css, html, type TemplateResult } from 'lit';
import { agentName, type PanelConfig } from '../contexts.ts';
import { isAllowed, safeMediaUrl, type UrlPolicy } from '../platform/url-policy.ts';

/** Layout of the avatar; its size is `--_avatar`. */
export const avatarStyles = css`
  .avatar {
    display: grid;
    place-items: center;
    flex: none;
    width: var(--_avatar, 32px);
    height: var(--_avatar, 32px);
    font-weight: 650;
    object-fit: cover;
  }
`;

/** The agent's picture; without a URL from an allowed origin, the first letter of the name. */
export function renderAvatar(panel: PanelConfig): TemplateResult {
  const { header, policy, words } = panel;
  const source = avatarUrl(header.avatar, policy);
  if (source)
    return html`<img
      class="avatar"
      part="avatar"
      src=${source.href}
      alt=""
      @load=${settle}
      @error=${settle}
    />`;
  const [letter = ''] = agentName(panel).trim();
  return html`<div class="avatar" part="avatar" aria-hidden="true">
    ${letter.toLocaleUpperCase(words.locale)}
  </div>`;
}

/** Hides a picture that cannot be loaded, until another one is; its room stays. */
function settle({ type, target }: Event): void {
  (target as HTMLElement).style.visibility = type === 'error' ? 'hidden' : '';
}

/** The URL of the picture, which the page has set itself: its own origin is allowed, and an image inside the URL. */
export function avatarUrl(
  avatar: string | undefined,
  { baseUrl, images }: Pick<UrlPolicy, 'baseUrl' | 'images'>,
): URL | undefined {
  const url = safeMediaUrl(avatar, baseUrl);
  return url && isAllowed(url, [...images, location.origin, 'data:'], baseUrl) ? url : undefined;
}
