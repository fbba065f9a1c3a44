import type { Locator } from '@playwright/test';

export type State = 'empty' | 'streaming' | 'long' | 'error' | 'form' | 'calendar' | 'list';
export const layouts: readonly ('float' | 'fullscreen-overlay' | 'custom')[];
export const themes: readonly ('light' | 'dark')[];
export const sizes: readonly { readonly width: number; readonly height: number; readonly scale: number }[];
export const states: Readonly<Record<State, readonly string[]>>;
export function reached(chat: Locator, state: string): Promise<void>;
