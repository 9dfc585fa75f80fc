import { CardView } from './card-view';

export default function Page() {
  return (
    <main>
      <h1>My card</h1>
      <CardView />
    </main>
  );
}
