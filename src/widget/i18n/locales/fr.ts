import type { Locale } from './en.ts';

/** French. */
export const fr: Locale = {
  // launcher
  'launcher.open': 'Ouvrir le chat',
  'launcher.close': 'Fermer le chat',
  'launcher.unread': {
    one: 'Ouvrir le chat, {count} nouveau message',
    many: 'Ouvrir le chat, {count} de nouveaux messages',
    other: 'Ouvrir le chat, {count} nouveaux messages',
  },
  'launcher.failed': 'Le chat n’a pas pu être chargé. Réessayer',
  'launcher.loading': 'Ouverture…',

  // panel
  'panel.label': 'Chat avec {name}',
  'panel.name': 'Assistant',
  'panel.new': 'Nouveau chat',
  'panel.threads': 'Conversations',
  'panel.expand': 'Agrandir',
  'panel.collapse': 'Réduire',
  'panel.close': 'Fermer',
  'disclosure.mark': 'IA',
  'disclosure.ai': 'Vous discutez avec un assistant IA.',
  'disclosure.mixed': 'Un assistant IA répond d’abord\u202f; des personnes peuvent intervenir.',
  'disclosure.human': 'Ici, ce sont des personnes qui répondent.',

  // transcript
  'transcript.label': 'Conversation',
  'transcript.new-below': 'Nouveau contenu en bas',
  'transcript.earlier': 'Afficher les précédents',
  'transcript.today': 'Aujourd’hui',
  'transcript.yesterday': 'Hier',
  'greeting.morning': 'Bonjour.',
  'greeting.afternoon': 'Bonjour.',
  'greeting.evening': 'Bonsoir.',
  'welcome.title': 'Comment puis-je vous aider\u202f?',
  'starters.label': 'Suggestions',

  // composer
  'composer.label': 'Message',
  'composer.placeholder': 'Écrire un message',
  'composer.send': 'Envoyer',
  'composer.stop': 'Arrêter',
  'composer.uploading': 'Import des documents en cours',
  'composer.returned': 'Ce qui n’avait pas encore été envoyé est de nouveau dans le champ de message.',
  'attach.add': 'Joindre des documents',
  'attach.drop': 'Déposez les documents ici',
  'attach.blocked':
    'Un document n’a pas pu être importé. Importez-le de nouveau ou retirez-le, puis envoyez le message.',
  'attach.removed': '{name} a été retiré.',
  'mention.list': 'Personnes et éléments à mentionner',
  'composer.too-long': {
    one: '{count} caractère de trop',
    many: '{count} de caractères de trop',
    other: '{count} caractères de trop',
  },
  'message.queued': 'En attente d’envoi',
  'message.remove-queued': 'Retirer',
  'message.not-sent': 'Non envoyé',
  'message.person': '{name} (une personne)',
  'message.documents': {
    one: '{count} document joint',
    many: '{count} de documents joints',
    other: '{count} documents joints',
  },

  // status line
  'status.ready': 'En ligne',
  'status.working': 'En cours…',
  'status.writing': 'Rédaction…',
  'status.stalled': 'Toujours en attente…',
  'status.offline': 'Vous êtes hors ligne',
  'status.resuming': 'Reconnexion…',
  'status.waiting': 'À vous de répondre',
  'status.auth-needed': 'Reconnectez-vous',
  'status.failed': 'Une erreur est survenue',

  // notices
  'notice.stopped': 'Arrêté',
  'notice.may-continue': 'Arrêté ici. L’assistant peut encore terminer de son côté.',
  'notice.no-answer': 'Aucune réponse n’est arrivée.',
  'notice.retry': 'Réessayer',
  'notice.sign-in': 'Se connecter',
  'notice.details': 'Détails',
  'notice.reference': 'Référence\u202f: {code}',
  'notice.busy': 'Le service est très sollicité en ce moment.',
  'notice.retry-later': 'Veuillez réessayer plus tard.',
  'notice.retry-seconds': {
    one: 'Réessayez dans {count} seconde.',
    many: 'Réessayez dans {count} de secondes.',
    other: 'Réessayez dans {count} secondes.',
  },
  'notice.retry-minutes': {
    one: 'Réessayez dans {count} minute.',
    many: 'Réessayez dans {count} de minutes.',
    other: 'Réessayez dans {count} minutes.',
  },
  'failure.run': 'Une erreur s’est produite pendant la réponse.',
  'failure.expired': 'Cela a pris trop de temps et a été interrompu.',
  'failure.interrupted': 'Connexion perdue. Ce qui a été reçu est conservé.',
  'failure.network': 'Aucune connexion au service.',
  'failure.timeout': 'Le service n’a pas répondu à temps.',
  'failure.auth': 'Veuillez vous reconnecter pour continuer. Votre texte est conservé.',
  'failure.token': 'Le chat ne peut pas se connecter pour le moment. Veuillez réessayer.',
  'failure.forbidden':
    'Vous n’avez pas accès à cette conversation ou à cet assistant. Vous pouvez commencer un nouveau chat.',
  'failure.not-found': 'Cette conversation ou cet assistant n’existe plus.',
  'failure.too-large':
    'Ce message est trop volumineux. Veuillez le raccourcir ou choisir des fichiers plus petits.',
  'failure.invalid': 'Le service n’a pas accepté ce message.',
  'failure.rate-limit': 'Trop de messages à la fois.',
  'failure.server': 'Le service rencontre un problème. Veuillez réessayer.',
  'failure.format': 'Le service a envoyé une réponse illisible.',
  'failure.guardrail': 'Impossible de répondre à cela ici.',

  // steps
  'steps.count': { one: '{count} étape', many: '{count} d’étapes', other: '{count} étapes' },
  'steps.reasoning': 'Raisonnement',
  'steps.plan': 'Plan',
  'steps.summary': 'Résumé',
  'steps.input': 'Entrée',
  'steps.output': 'Résultat',
  'steps.failed': 'échec',
  'steps.done': 'terminé',
  'steps.active': 'en cours',
  'steps.pending': 'à faire',
  'steps.stopped': 'arrêté',
  'time.seconds': '{count} s',
  'time.minutes': '{minutes} min {seconds} s',

  // turn actions
  'actions.label': 'Actions pour cette réponse',
  'actions.copy': 'Copier',
  'actions.copied': 'Copié',
  'actions.regenerate': 'Nouvelle réponse',
  'actions.edit': 'Modifier',
  'actions.save': 'Renvoyer',
  'actions.cancel': 'Annuler',
  'feedback.good': 'Bonne réponse',
  'feedback.bad': 'Mauvaise réponse',
  'feedback.thanks': 'Merci pour votre avis',

  // content items
  'content.loading': 'Chargement…',
  'content.failed': 'Cette partie n’a pas pu être affichée.',
  'content.more': { other: 'Afficher {count} de plus' },
  'media.image': 'Image',
  'date.label': 'Date',
  'file.done': 'importé',
  'file.failed': '{name} n’a pas pu être importé.',

  // forms
  'form.label': 'Formulaire',

  // Markdown
  'markdown.copy': 'Copier',
  'markdown.copied': 'Copié',
  'markdown.copy-failed': 'Échec de la copie',
  'markdown.wrap': 'Retour à la ligne',
  'markdown.code': 'Code',
  'markdown.table': 'Tableau',
  'markdown.formula': 'Formule',
  'markdown.load-image': 'Charger l’image depuis {host}',
  'markdown.task-done': 'Fait',
  'markdown.task-open': 'À faire',

  // announcements
  'transcript.you-said': 'Vous avez dit',
  'transcript.name-said': '{name} a dit',
  'announce.started': '{name} répond.',
  'announce.answer': '{name} a dit\u202f: {text}',
  'announce.question': '{name} demande\u202f: {text}',
  'announce.done': 'Réponse terminée.',
  'announce.rest': 'La suite se trouve dans la conversation.',
  'announce.code': {
    one: 'Code, {count} ligne.',
    many: 'Code, {count} de lignes.',
    other: 'Code, {count} lignes.',
  },
  'announce.table': {
    one: 'Tableau, {count} ligne.',
    many: 'Tableau, {count} de lignes.',
    other: 'Tableau, {count} lignes.',
  },
  'announce.choices': 'Choix\u202f: {list}',
  'announce.form': 'Formulaire à remplir\u202f: {name}',
  'announce.unread': {
    one: '{count} nouveau message',
    many: '{count} de nouveaux messages',
    other: '{count} nouveaux messages',
  },
  'announce.offline': 'Vous êtes hors ligne. Les messages seront envoyés dès votre retour en ligne',
  'announce.reconnected': 'Connexion rétablie.',
  'announce.new-thread': 'Nouveau chat commencé.',

  // help: keyboard and announcements
  'help.title': 'Clavier et lecture à voix haute',
};
