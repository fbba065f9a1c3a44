import { defineElement } from '../define-element.ts';
import { MarkdownElement } from '../markdown/markdown-element.ts';
import { ComposerElement } from './composer.ts';
import { HeaderElement } from './header.ts';
import { NoticeElement } from './notice.ts';
import { PanelElement } from './panel.ts';
import { TranscriptElement } from './transcript.ts';
import { TurnElement } from './turn.ts';
import { VisitorMessageElement } from './visitor-message.ts';
import { WelcomeElement } from './welcome.ts';

/** Registers what the panel is made of; leaves first, so that each upgrades complete. */
export function defineComponents(): void {
  defineElement('agent-chat-markdown', MarkdownElement);
  defineElement('agent-chat-notice', NoticeElement);
  defineElement('agent-chat-visitor-message', VisitorMessageElement);
  defineElement('agent-chat-turn', TurnElement);
  defineElement('agent-chat-welcome', WelcomeElement);
  defineElement('agent-chat-transcript', TranscriptElement);
  defineElement('agent-chat-header', HeaderElement);
  defineElement('agent-chat-composer', ComposerElement);
  defineElement('agent-chat-panel', PanelElement);
}
