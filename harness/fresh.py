"""Open an address of the app in a new session without loading its scripts anew, which is most of the work."""

from playwright.sync_api import Page

# What a new session must not find is removed: what the browser stores, what Streamlit has drawn and remembers, and what
# the components share. The connection is closed first, so that nothing of the former session arrives any more.
# Streamlit connects again, now without that session's id. Returns false if the page shows no app, or one of another
# version of Streamlit.
_RENEW = """async (address) => {
  const drawn = document.querySelector('[data-testid=stApp]');
  const handle = drawn && Object.keys(drawn).find((name) => name.startsWith('__reactFiber$'));
  let fiber = handle && drawn[handle];
  while (fiber && !fiber.stateNode?.connectionManager) fiber = fiber.return;
  const app = fiber?.stateNode;
  const connection = app?.connectionManager.websocketConnection;
  if (window.notes?.mustReload || !connection?.websocket || !connection.args.getLastSessionId) return false;
  document.activeElement?.blur();
  history.pushState(null, '', address);
  scrollTo(0, 0);
  connection.args.getLastSessionId = () => undefined;
  // Until the connection is back, elements of the former session that are still there may send something.
  app.widgetMgr.sendUpdateWidgetsMessage = (...request) => {
    if (!app.getBaseUriParts()) return;
    delete app.widgetMgr.sendUpdateWidgetsMessage;
    app.widgetMgr.sendUpdateWidgetsMessage(...request);
  };
  connection.websocket.left = true;
  connection.websocket.close();
  window.notes.left = false;
  window.notes.asked = performance.now(); // `ready` waits for the answer to the new session's first request
  app.cleanupAutoReruns();
  await new Promise((done) => {
    app.setState({
      elements: app.state.elements.constructor.empty('', true), appHash: null, scriptRunId: '<null>', dialog: null,
      currentPageScriptHash: '', mainScriptHash: '', appPages: [], navSections: [], hideSidebarNav: true,
      fragmentIdsThisRun: [], queryParams: location.search.slice(1), scriptRunState: 'rerunRequested',
    }, done);
  });
  history.replaceState(null, '', address); // what kept the former session's fragment may have written it again
  app.widgetMgr.removeInactive(new Set());
  globalThis[Symbol.for('merge-by-merge.fragment')] = {hash: '', id: ''}; // nothing of its link is still to be sent
  const shared = globalThis[Symbol.for('merge-by-merge')];
  shared?.groups.clear();
  if (shared) delete shared.active;
  localStorage.clear();
  sessionStorage.clear();
  return true;
}"""

# Nothing on a page that a test has left goes on playing, and a script loaded there anew finds nothing stored. A page
# that was left in the presenter view, which is a full screen, is loaded anew.
_LEAVE = """async () => {
  if (!window.notes) return;
  if (document.fullscreenElement) {
    window.notes.mustReload = true;
    await document.exitFullscreen();
  }
  window.notes.left = true;
  for (const { playhead } of globalThis[Symbol.for('merge-by-merge')]?.groups.values() ?? []) playhead?.pause();
  localStorage.clear();
  sessionStorage.clear();
}"""


def leave(page: Page) -> None:
    """Leave the page to the next test. `enter` and `visit` then begin a new session."""
    page.mouse.move(0, 0)
    page.context.clear_permissions()
    page.evaluate(_LEAVE)


def renew(page: Page, address: str) -> bool:
    """Go to the address in a new session. Return whether the page could do so."""
    return bool(page.evaluate(_RENEW, address))
