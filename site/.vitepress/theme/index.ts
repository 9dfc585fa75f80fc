import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme';
import { defineAsyncComponent } from 'vue';
import EndpointTable from './EndpointTable.vue';
import FaultExplorer from './FaultExplorer.vue';
import RunBlock from './RunBlock.vue';
import './style.css';

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('RunBlock', RunBlock);
    app.component('FaultExplorer', FaultExplorer);
    app.component('EndpointTable', EndpointTable);
    // Mermaid is larger than all the rest: only a page with a diagram loads it.
    app.component(
      'MermaidDiagram',
      defineAsyncComponent(() => import('./MermaidDiagram.vue')),
    );
  },
} satisfies Theme;
