import { css } from 'lit';

/** Styles of the panel's header. */
export const headerStyles = css`
  :host {
    display: flex;
    align-items: center;
    gap: 2px;
    min-height: var(--_header-height);
    padding-block: 6px 5px;
    padding-inline: var(--_space-4) var(--_space-2);
    background: var(--_primary);
    color: var(--_on-primary);
    border-block-end: 1px solid var(--_line); /* separates a white header from a white transcript */
    --_focus: var(--_on-primary);
    --_icon-button-hover: var(--_primary-raised);
  }
  .identity {
    display: flex; /* also applies to slotted content, so that the buttons stay at the end */
    align-items: center;
    gap: 10px;
    flex: 1;
    min-width: 0;
  }
  .avatar {
    --_avatar: max(32px, 1.83em);
    border-radius: var(--_radius);
    background: var(--_primary-raised);
    font-size: 0.93em;
  }
  .words {
    min-width: 0;
  }
  .name,
  .status {
    margin: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    /* name and status may differ in direction; both start at the avatar */
    text-align: -webkit-match-parent;
    text-align: match-parent;
  }
  .name {
    font-size: inherit;
    font-weight: 600;
    line-height: 1.25;
  }
  .title {
    display: flex;
    align-items: center;
    gap: 6px;
    min-width: 0;
  }
  .mark {
    flex: none;
    padding: 1px 5px;
    border-radius: 5px;
    background: var(--_primary-raised);
    font-size: 0.73em;
    font-weight: 650;
    line-height: 1.3;
  }
  .status {
    font-size: var(--_size-tiny);
    line-height: 1.35;
    color: var(--_on-primary-muted);
  }
  /* in small windows the panel already has its full size */
  @media (max-width: 479.98px), (max-height: 319.98px), (max-height: 479.98px) and (pointer: coarse) {
    .expand {
      display: none;
    }
  }
  /* the welcome page shows the picture at its own size */
  :host([plain]) .avatar {
    display: none;
  }
  @container panel (max-width: 20.7em) {
    .avatar,
    .expand {
      display: none;
    }
  }
  /* buttons for fingers leave less room for the name */
  @media (pointer: coarse) {
    @container panel (max-width: 23em) {
      .avatar {
        display: none;
      }
    }
  }
  @container panel (max-height: 340px) {
    :host {
      min-height: min(var(--_header-height), 40px);
      padding-block: 2px 1px;
    }
    .avatar {
      display: none;
    }
    .words {
      flex: 1;
      display: flex;
      align-items: baseline;
      gap: 8px;
    }
    .title {
      flex: none;
      max-width: 70%;
    }
  }
`;
