// Icons of finished answers, and of attachments. See icons.ts.
export const copyIcon: string =
  'M11 9h7a2 2 0 012 2v7a2 2 0 01-2 2H11a2 2 0 01-2-2V11a2 2 0 012-2zM5 15V6a2 2 0 012-2h8';
export const doneIcon: string = 'M5 13l5 5L19 7';
export const thumbUpIcon: string = 'M7 11l4-7a2 2 0 012 2v4h5a2 2 0 012 2l-1 6a2 2 0 01-2 2H7zM7 11H4v9h3';
export const thumbDownIcon: string = 'M7 13l4 7a2 2 0 002-2v-4h5a2 2 0 002-2l-1-6a2 2 0 00-2-2H7zM7 13H4V4h3';
export const retryIcon: string = 'M4 11a8 8 0 0114-5l2 2M20 4v4h-4M20 13a8 8 0 01-14 5l-2-2M4 20v-4h4';
export const fileIcon: string = 'M6 3h8l4 4v14H6zM14 3v4h4';
