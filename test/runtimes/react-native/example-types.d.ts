// What the example app uses of packages that only an app installs. React Native's own types need
// @types/react, which they get from the app.

declare module 'react' {
  export function useState<T>(initial: T): [T, (value: T) => void];
  export function useState<T>(): [T | undefined, (value: T | undefined) => void];
  export function useEffect(effect: () => unknown, inputs: readonly unknown[]): void;
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
  export const Button: Component<{ title: string; onPress: () => void }>;
  export const RefreshControl: Component<{ refreshing: boolean; onRefresh: () => void }>;
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
