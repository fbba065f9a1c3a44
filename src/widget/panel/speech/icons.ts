export const microphoneIcon: string =
  'M12 3.5a3 3 0 013 3V12a3 3 0 01-6 0V6.5a3 3 0 013-3zM5.5 11.5a6.5 6.5 0 0013 0M12 18v3';
export const speakerIcon: string =
  'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4.2 4.2 0 010 6M18 6.5a8 8 0 010 11';
