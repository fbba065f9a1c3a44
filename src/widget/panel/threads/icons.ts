export { threadsIcon } from '../../theme/icons.ts';
export const searchIcon: string = 'M11 4a7 7 0 110 14 7 7 0 010-14zM16.2 16.2L20 20';
export const moreIcon: string = 'M5 12h.01M12 12h.01M19 12h.01';
