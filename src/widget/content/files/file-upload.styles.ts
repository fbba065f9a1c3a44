import { css } from 'lit';

/** Styles of the file upload. */
export const fileUploadStyles = css`
  .drop {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 10px;
    padding: 12px;
    border: 1px dashed var(--_line-field);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_muted);
    font-size: var(--_size-small);
  }

  .drop.over {
    border-color: var(--_accent-text);
    background: var(--_accent-soft);
  }

  .drop p {
    flex: 1 0 100%;
    margin: 0;
  }

  ul {
    display: grid;
    gap: var(--_space-2);
  }

  .file {
    display: grid;
    grid-template-columns: auto 1fr auto auto;
    align-items: center;
    gap: 2px var(--_space-2);
  }

  .file > svg {
    color: var(--_muted);
  }

  .file.done > svg {
    color: var(--_good);
  }

  .name {
    min-inline-size: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .failed .name {
    white-space: normal;
    overflow-wrap: anywhere;
  }

  progress {
    grid-column: 2 / -1;
    inline-size: 100%;
    block-size: 4px;
    accent-color: var(--_accent-text);
  }
`;
