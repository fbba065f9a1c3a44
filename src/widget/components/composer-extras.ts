export { AttachmentsController } from './attachments-controller.ts';
export { MentionController } from './mention-controller.ts';
