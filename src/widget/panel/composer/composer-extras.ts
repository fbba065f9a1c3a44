import { adoptStyles } from 'lit';
import { sharedStyles } from '../../theme/shared.styles.ts';
import { composerExtrasStyles } from './composer-extras.styles.ts';
import { composerStyles } from './composer.styles.ts';

export { AttachmentsController } from './attachments-controller.ts';
export { MentionsController } from './mentions-controller.ts';

/** Adds the styles of the extras to the composer's shadow root. */
export function adoptComposerStyles(root: HTMLElement | DocumentFragment): void {
  if (root instanceof ShadowRoot) adoptStyles(root, [sharedStyles, composerStyles, composerExtrasStyles]);
}
