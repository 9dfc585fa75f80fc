import { filterEndpoints } from './filter-endpoints.js';
import { loadModule } from './load-script.js';
import { showNavigation } from './navigation.js';
import { offerRuns } from './offer-runs.js';
import { searchErrors } from './search-errors.js';

/** TypeDoc loads its search index with every page; this loads it when the search is opened. */
function loadSearchWhenOpened(): void {
  const script = document.querySelector<HTMLScriptElement>('#tsd-search-script');
  const load = () => {
    if (script?.dataset['src']) script.src = script.dataset['src'];
    delete script?.dataset['src'];
  };
  document.querySelector('#tsd-search-trigger')?.addEventListener('click', load);
  document.addEventListener('keydown', ({ key, ctrlKey }) => {
    if (key === '/' || (ctrlKey && key === 'k')) load();
  });
}

const path = location.pathname;
showNavigation();
loadSearchWhenOpened();
if (path.endsWith('/docs/reference/endpoints.html')) filterEndpoints();
if (path.endsWith('/docs/reference/error-catalogue.html')) searchErrors();
offerRuns();

const explorer = document.querySelector<HTMLElement>('#explorer');
if (explorer !== null) {
  loadModule<{ explore(root: HTMLElement): void }>('explorer', 'explorer.js').then(({ explore }) =>
    explore(explorer),
  );
}
