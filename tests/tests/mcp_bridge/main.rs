//! The bridge: tools of other servers, whatever those servers do.

mod calls;
mod changes;
mod hostile;
mod lists;
mod official;
mod over_http;
mod processes;
mod round_trip;
mod scene;
