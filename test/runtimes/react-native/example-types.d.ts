// The parts that the example app uses of packages that only an app installs. React Native's own
// types need @types/react, which they get from the app.

declare module 'react' {
  export function useState<T>(initial: T): [T, (value: T) => void];
  export function useState<T>(): [T | undefined, (value: T | undefined) => void];
  export function useMemo<T>(compute: () => T, inputs: readonly unknown[]): T;
  export function useSyncExternalStore<T>(
    subscribe: (listener: () => void) => () => void,
    getSnapshot: () => T,
  ): T;

  // The declarations of @tanstack/react-query use these.
  export type ReactNode = unknown;
  export type Context<T> = { value: T };
  export type { JSX } from 'react/jsx-runtime';
}

declare module 'react/jsx-runtime' {
  export namespace JSX {
    type Element = object;
    type ElementType = (props: never) => Element | null;
    interface IntrinsicAttributes {
      key?: string;
    }
    interface ElementChildrenAttribute {
      children: unknown;
    }
  }
  export const jsx: unknown;
  export const jsxs: unknown;
  export const Fragment: (props: { children?: unknown }) => JSX.Element;
}

declare module 'react-native' {
  import type { JSX } from 'react/jsx-runtime';

  type Component<Props> = (props: Props) => JSX.Element;
  export const AppState: {
    addEventListener(type: 'change', listener: (state: string) => void): { remove(): void };
  };
  export const Linking: { openURL(url: string): Promise<unknown> };
  export const Button: Component<{ title: string; disabled?: boolean; onPress: () => void }>;
  export const RefreshControl: Component<{
    refreshing: boolean;
    onRefresh: () => void | Promise<void>;
  }>;
  export const SafeAreaView: Component<{ children?: unknown }>;
  export const ScrollView: Component<{ refreshControl?: JSX.Element; children?: unknown }>;
  export const Text: Component<{ children?: unknown }>;
  export const TextInput: Component<{
    placeholder: string;
    value: string;
    onChangeText: (text: string) => void;
    secureTextEntry?: boolean;
    keyboardType?: 'number-pad';
  }>;
}

declare module 'react-native-webview' {
  import type { JSX } from 'react/jsx-runtime';

  type Props = {
    source: { uri: string };
    style?: { height: number };
    originWhitelist?: string[];
    cacheEnabled?: boolean;
    incognito?: boolean;
    javaScriptEnabled?: boolean;
    injectedJavaScriptBeforeContentLoaded?: string;
    onMessage?: (event: { nativeEvent: { url: string; data: string } }) => void;
    onShouldStartLoadWithRequest?: (request: { url: string }) => boolean;
  };
  export const WebView: (props: Props) => JSX.Element;
}

declare module 'expo-secure-store' {
  type Options = { keychainAccessible?: number };
  export const WHEN_UNLOCKED_THIS_DEVICE_ONLY: number;
  export function getItemAsync(key: string, options?: Options): Promise<string | null>;
  export function setItemAsync(key: string, value: string, options?: Options): Promise<void>;
  export function deleteItemAsync(key: string, options?: Options): Promise<void>;
}

declare module '@walletconnect/react-native-compat';

declare module '@walletconnect/ethereum-provider' {
  type Options = {
    projectId: string;
    metadata: {
      name: string;
      description: string;
      url: string;
      icons: string[];
      redirect?: { native?: string };
    };
    optionalChains: [number, ...number[]];
    showQrModal: boolean;
  };
  type Provider = {
    readonly session: object | undefined;
    on(event: 'display_uri', listener: (uri: string) => void): Provider;
    connect(): Promise<void>;
    request<T = unknown>(call: { method: string; params?: object }): Promise<T>;
  };
  export const EthereumProvider: { init(options: Options): Promise<Provider> };
}
