export function encodeValue(value: unknown): string;
export function decodeValue(text: string): unknown;
