import 'agent-chat';

export default defineNuxtPlugin(() => {});
