export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  vue: { compilerOptions: { isCustomElement: (tag) => tag === 'agent-chat' } },
  vite: { optimizeDeps: { include: ['agent-chat'] } }, // otherwise `nuxt dev` reloads the page when it first finds it
  runtimeConfig: {
    jwtSecret: '', // NUXT_JWT_SECRET
    public: { chatService: 'http://localhost:8787' }, // NUXT_PUBLIC_CHAT_SERVICE
  },
  hooks: {
    // Nuxt would prefetch what `import()` loads: the whole panel, before anybody opens the chat.
    'build:manifest'(manifest) {
      for (const file of Object.values(manifest)) file.dynamicImports = [];
    },
  },
});
