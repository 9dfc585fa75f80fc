import { WebView } from 'react-native-webview';

/**
 * Shows a short-lived image of the card. Uses a WebView without cache and JavaScript, because the
 * image cache of a phone writes to disk.
 */
export function SecureImage({ url }: { url: string }) {
  return (
    <WebView
      source={{ uri: url }}
      style={{ height: 220 }}
      originWhitelist={['https://*']}
      cacheEnabled={false}
      incognito
      javaScriptEnabled={false}
    />
  );
}
