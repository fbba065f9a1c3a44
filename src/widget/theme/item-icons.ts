// Icons of content items and forms, which load with them. See icons.ts.
export const backIcon: string = 'M15 6l-6 6 6 6';
export const openIcon: string = 'M6 9l6 6 6-6';
export const addIcon: string = 'M12 5v14M5 12h14';
export const removeIcon: string = 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13';
export const externalIcon: string = 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5';
export const warningIcon: string = 'M12 4l9 16H3zM12 10v4M12 17h.01';
export const errorIcon: string = 'M3 12a9 9 0 1018 0 9 9 0 10-18 0zM12 7v6M12 16.5h.01';
export const infoIcon: string = 'M3 12a9 9 0 1018 0 9 9 0 10-18 0zM12 11v6M12 7.5h.01';
export const downloadIcon: string = 'M12 4v11M7 11l5 5 5-5M5 20h14';
export const imageIcon: string =
  'M6 5h12a2 2 0 012 2v10a2 2 0 01-2 2H6a2 2 0 01-2-2V7a2 2 0 012-2zM4 16l5-5 6 6M14 14l2-2 4 4M15 9h.01';
export const playIcon: string = 'M8 5l11 7-11 7z';
export const linkIcon: string =
  'M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1';
export const personIcon: string = 'M8 8a4 4 0 108 0 4 4 0 10-8 0zM4 20a8 8 0 0116 0';
export const calendarIcon: string =
  'M6 5h12a2 2 0 012 2v11a2 2 0 01-2 2H6a2 2 0 01-2-2V7a2 2 0 012-2zM4 10h16M8 3v4M16 3v4';
