//! Tells cargo how to link a Node-API addon on this platform.

fn main() {
    napi_build::setup();
}
