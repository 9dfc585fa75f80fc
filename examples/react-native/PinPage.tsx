import { PIN_PAGE_SCRIPT, readPinPageEvent, type WebViewEvent } from 'card-platform-sdk';
import { WebView } from 'react-native-webview';

type Message = { nativeEvent: WebViewEvent };

/** Shows the page on which the service lets the user set the PIN, until it ends. */
export function PinPage({ url, onEnd }: { url: string; onEnd: () => void }) {
  const page = { hostedPageUrl: url };
  const endIf = (event: WebViewEvent) => {
    const hasEnded = readPinPageEvent(event, page) !== undefined;
    if (hasEnded) onEnd();
    return hasEnded;
  };
  return (
    <WebView
      source={{ uri: url }}
      originWhitelist={['https://*']}
      incognito
      injectedJavaScriptBeforeContentLoaded={PIN_PAGE_SCRIPT}
      onMessage={({ nativeEvent }: Message) => void endIf(nativeEvent)}
      onShouldStartLoadWithRequest={(request: WebViewEvent) => !endIf(request)}
    />
  );
}
