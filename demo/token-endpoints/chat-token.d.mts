export declare function chatToken(visitorId: string): string;
