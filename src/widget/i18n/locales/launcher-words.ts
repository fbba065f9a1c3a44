import type { Locale } from './en.ts';
import type { LanguageName } from './index.ts';
import type { launcherEn } from './launcher-en.ts';

type LauncherWords = Pick<Locale, keyof typeof launcherEn>;

/** The launcher's words in every language beside English: all that a page in another language needs before the panel. */
export const launcherWords = {
  de: {
    'launcher.open': 'Chat öffnen',
    'launcher.close': 'Chat schließen',
    'launcher.unread': {
      one: 'Chat öffnen, {count} neue Nachricht',
      other: 'Chat öffnen, {count} neue Nachrichten',
    },
    'launcher.failed': 'Der Chat konnte nicht geladen werden. Erneut versuchen',
    'launcher.loading': 'Wird geöffnet …',
  },
  es: {
    'launcher.open': 'Abrir chat',
    'launcher.close': 'Cerrar chat',
    'launcher.unread': {
      one: 'Abrir chat, {count} mensaje nuevo',
      many: 'Abrir chat, {count} de mensajes nuevos',
      other: 'Abrir chat, {count} mensajes nuevos',
    },
    'launcher.failed': 'No se pudo cargar el chat. Intentar de nuevo',
    'launcher.loading': 'Abriendo…',
  },
  fr: {
    'launcher.open': 'Ouvrir le chat',
    'launcher.close': 'Fermer le chat',
    'launcher.unread': {
      one: 'Ouvrir le chat, {count} nouveau message',
      many: 'Ouvrir le chat, {count} de nouveaux messages',
      other: 'Ouvrir le chat, {count} nouveaux messages',
    },
    'launcher.failed': 'Le chat n’a pas pu être chargé. Réessayer',
    'launcher.loading': 'Ouverture…',
  },
  it: {
    'launcher.open': 'Apri la chat',
    'launcher.close': 'Chiudi la chat',
    'launcher.unread': {
      one: 'Apri la chat, {count} nuovo messaggio',
      many: 'Apri la chat, {count} di nuovi messaggi',
      other: 'Apri la chat, {count} nuovi messaggi',
    },
    'launcher.failed': 'Impossibile caricare la chat. Riprova',
    'launcher.loading': 'Apertura…',
  },
  'pt-BR': {
    'launcher.open': 'Abrir chat',
    'launcher.close': 'Fechar chat',
    'launcher.unread': {
      one: 'Abrir chat, {count} mensagem nova',
      many: 'Abrir chat, {count} de mensagens novas',
      other: 'Abrir chat, {count} mensagens novas',
    },
    'launcher.failed': 'Não foi possível carregar o chat. Tentar de novo',
    'launcher.loading': 'Abrindo…',
  },
  ja: {
    'launcher.open': 'チャットを開く',
    'launcher.close': 'チャットを閉じる',
    'launcher.unread': { other: 'チャットを開く、新着メッセージ{count}件' },
    'launcher.failed': 'チャットを読み込めませんでした。もう一度試す',
    'launcher.loading': '開いています…',
  },
  ko: {
    'launcher.open': '채팅 열기',
    'launcher.close': '채팅 닫기',
    'launcher.unread': { other: '채팅 열기, 새 메시지 {count}개' },
    'launcher.failed': '채팅을 불러오지 못했습니다. 다시 시도',
    'launcher.loading': '여는 중…',
  },
  'zh-CN': {
    'launcher.open': '打开聊天',
    'launcher.close': '关闭聊天',
    'launcher.unread': { other: '打开聊天，{count} 条新消息' },
    'launcher.failed': '聊天加载失败。重试',
    'launcher.loading': '正在打开…',
  },
  'zh-TW': {
    'launcher.open': '開啟聊天',
    'launcher.close': '關閉聊天',
    'launcher.unread': { other: '開啟聊天，{count} 則新訊息' },
    'launcher.failed': '聊天無法載入。重試',
    'launcher.loading': '正在開啟…',
  },
  ar: {
    'launcher.open': 'فتح المحادثة',
    'launcher.close': 'إغلاق المحادثة',
    'launcher.unread': {
      zero: 'فتح المحادثة، لا رسائل جديدة',
      one: 'فتح المحادثة، رسالة جديدة واحدة',
      two: 'فتح المحادثة، رسالتان جديدتان',
      few: 'فتح المحادثة، {count} رسائل جديدة',
      other: 'فتح المحادثة، {count} رسالة جديدة',
    },
    'launcher.failed': 'تعذّر تحميل المحادثة. إعادة المحاولة',
    'launcher.loading': 'جارٍ الفتح…',
  },
  he: {
    'launcher.open': 'פתיחת הצ׳אט',
    'launcher.close': 'סגירת הצ׳אט',
    'launcher.unread': {
      one: 'פתיחת הצ׳אט, הודעה חדשה אחת',
      two: 'פתיחת הצ׳אט, שתי הודעות חדשות',
      other: 'פתיחת הצ׳אט, {count} הודעות חדשות',
    },
    'launcher.failed': 'לא ניתן היה לטעון את הצ׳אט. ניסיון נוסף',
    'launcher.loading': 'פתיחה…',
  },
} as const satisfies Record<LanguageName, LauncherWords>;
