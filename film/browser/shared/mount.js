// What every component's main.js exports: the function that Streamlit calls when the component appears, and again
// whenever its data or the theme change. What that function returns is called once, when the component goes.

// create(parentElement) -> {update(component), remove?()}: made once for each parent element, updated at every call
export function mount(create) {
  const controllers = new WeakMap();
  return (component) => {
    const { parentElement } = component;
    const controller = controllers.get(parentElement) ?? create(parentElement);
    controllers.set(parentElement, controller);
    controller.update(component);
    return () => {
      controllers.delete(parentElement);
      controller.remove?.();
    };
  };
}
