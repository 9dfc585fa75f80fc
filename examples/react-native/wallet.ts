// Must be imported first: it adds what WalletConnect needs and React Native lacks.
import '@walletconnect/react-native-compat';
import { EthereumProvider } from '@walletconnect/ethereum-provider';
import type { Eip1193Provider } from 'card-platform-sdk/evm';
import { Linking } from 'react-native';
import { linea } from 'viem/chains';

type Provider = Awaited<ReturnType<typeof EthereumProvider.init>>;
let provider: Provider | undefined;

async function createProvider(): Promise<Provider> {
  const created = await EthereumProvider.init({
    projectId: 'your-project-id',
    metadata: {
      name: 'Card app',
      description: 'Pay from your own wallet',
      url: 'https://app.example.com',
      icons: [],
      // The wallet app leads back to this app.
      redirect: { native: 'card-app://' },
    },
    optionalChains: [linea.id],
    showQrModal: false,
  });
  // `wc:` opens a wallet app on Android. On iOS, use the link of the wallet that the user chose.
  created.on('display_uri', (uri) => void Linking.openURL(uri));
  return created;
}

/** Connects the user's wallet app, unless its session is still open. */
export async function connectWallet(): Promise<Eip1193Provider> {
  provider ??= await createProvider();
  if (provider.session === undefined) await provider.connect();
  return provider;
}
